process.nextTick(() => console.log('never'));
Promise.resolve().then(() => console.log('never'));
setImmediate(() => console.log('never'));
process.on('beforeExit', () => console.log('never'));
process.on('exit', () => console.log('exit'));
process.exit();
// LIFE-10
