process.on('beforeExit', () => console.log('never'));
process.on('exit', (code) => console.log('exit', code));
throw new Error('x');
