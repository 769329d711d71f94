process.on('uncaughtException', (e) => console.log(1, e.message));
process.prependListener('uncaughtException', (e) => console.log(0, e.message));
process.once('uncaughtException', (e) => console.log(2, e.message));
process.nextTick(() => { throw new Error('b'); });
throw new Error('a');
