// A timer that is due comes before the ticks left, an immediate does not.
process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
process.nextTick(() => console.log('t1'));
process.nextTick(() => { throw new Error('t2'); });
process.nextTick(() => console.log('t3'));
setTimeout(() => console.log('timer'), 1);
setImmediate(() => console.log('immediate'));
stall();
// THROW-10
