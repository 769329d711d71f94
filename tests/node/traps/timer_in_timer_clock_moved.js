// In the callback of the timer itself it makes no difference.
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setImmediate(() => console.log('immediate'));
setTimeout(() => {
  console.log('outer');
  setTimeout(() => console.log('inner'), 1);
  stall();
  clearTimeout(setTimeout(() => {}, 1000));
}, 1);
stall();
// TIMERS-6
