console.log('main');
process.on('exit', (code) => console.log('exit', code));
// LIFE-5
