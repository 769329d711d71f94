// The ticks left run after the next immediate.
process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setImmediate(() => {
  console.log('A');
  process.nextTick(() => console.log('t1'));
  process.nextTick(() => { throw new Error('t2'); });
  process.nextTick(() => console.log('t3'));
});
setImmediate(() => console.log('B'));
setImmediate(() => console.log('C'));
// THROW-6
