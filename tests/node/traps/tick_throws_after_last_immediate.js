// The postponed ticks run after the immediate of the next iteration.
process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setImmediate(() => {
  console.log('A');
  process.nextTick(() => console.log('t1'));
  process.nextTick(() => { throw new Error('t2'); });
  process.nextTick(() => console.log('t3'));
  setImmediate(() => console.log('B'));
});
// THROW-6
