// Ticks come before the next list, but not before the next timer of the same list.
process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setTimeout(() => { process.nextTick(() => console.log('tick 1')); throw new Error('a'); }, 1);
setTimeout(() => { console.log('b'); process.nextTick(() => console.log('tick 2')); throw new Error('b'); }, 1);
setTimeout(() => console.log('c'), 5);
setTimeout(() => console.log('d'), 5);
setImmediate(() => console.log('immediate'));
stall();
// THROW-8
