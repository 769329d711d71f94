const b = setImmediate(() => console.log('never'));
process.nextTick(() => clearImmediate(b));
process.on('exit', () => console.log('exit'));
