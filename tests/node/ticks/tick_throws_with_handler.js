process.on('uncaughtException', (e) => console.log('caught', e.message));
process.nextTick(() => console.log('1'));
process.nextTick(() => { process.nextTick(() => console.log('4')); throw new Error('2'); });
process.nextTick(() => console.log('3'));
Promise.resolve().then(() => console.log('microtask'));
setImmediate(() => console.log('immediate'));
