// The ticks left come before the immediates, but the timers that they set wait for the next visit.
process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setTimeout(() => {
  console.log('timer');
  process.nextTick(() => { throw new Error('tick 1'); });
  process.nextTick(() => { setTimeout(() => console.log('timer of tick 2'), 1); stall(); setTimeout(() => {}, 1); });
}, 1);
setImmediate(() => console.log('immediate'));
stall();
