// The postponed tick runs after the immediate, and the timers that it sets wait for the next visit.
process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setTimeout(() => {
  console.log('timer');
  process.nextTick(() => { throw new Error('tick 1'); });
  process.nextTick(() => { setTimeout(() => console.log('timer of tick 2'), 1); stall(); setTimeout(() => {}, 1); });
}, 1);
setImmediate(() => console.log('immediate'));
stall();
// THROW-10
