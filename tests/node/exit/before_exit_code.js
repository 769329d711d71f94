process.exitCode = 3;
process.on('beforeExit', (code) => console.log('beforeExit', code));
// LIFE-9
