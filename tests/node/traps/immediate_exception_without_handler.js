setImmediate(() => console.log('1'));
setImmediate(() => { throw new Error('2'); });
setImmediate(() => console.log('3, never'));
process.on('exit', (code) => console.log('exit', code));
// THROW-4
