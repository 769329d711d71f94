// A timer set in a tick of a timer waits for the next visit, even if it is overdue when the tick ends.
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setImmediate(() => console.log('immediate'));
setTimeout(() => {
  console.log('outer');
  process.nextTick(() => { setTimeout(() => console.log('inner'), 1); stall(); });
}, 1);
stall();
// TIMERS-7
