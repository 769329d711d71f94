process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
queueMicrotask(() => { throw new Error('m1'); });
queueMicrotask(() => { console.log('m2'); process.nextTick(() => console.log('tick')); throw new Error('m2'); });
queueMicrotask(() => console.log('m3'));
setImmediate(() => console.log('immediate'));
