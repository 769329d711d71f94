// After the first look at the timers an iteration follows even if nothing is alive any more.
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
const immediate = setImmediate(() => console.log('immediate'));
setTimeout(() => { console.log('timer'); immediate.unref(); }, 1);
stall();
// LIFE-12
