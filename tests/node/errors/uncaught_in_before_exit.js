process.on('beforeExit', () => { throw new Error('in beforeExit'); });
process.on('exit', (code) => console.log('exit', code));
