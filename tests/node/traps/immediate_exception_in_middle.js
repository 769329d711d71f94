// With a handler the rest of the queue goes on, in order.
process.on('uncaughtException', (error) => console.log('caught', error.message));
setImmediate(() => console.log('1'));
setImmediate(() => { process.nextTick(() => console.log('tick of 2')); throw new Error('2'); });
setImmediate(() => console.log('3'));
setImmediate(() => { setImmediate(() => console.log('6')); throw new Error('4'); });
setImmediate(() => console.log('5'));
// THROW-1, THROW-7
