process.on('uncaughtException', (e, origin) => console.log('caught', e.message, origin));
queueMicrotask(() => console.log('1'));
queueMicrotask(() => { throw new Error('2'); });
queueMicrotask(() => console.log('3'));
process.nextTick(() => console.log('tick'));
