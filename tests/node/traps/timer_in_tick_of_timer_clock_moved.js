// ... and setting another timer after the stall, which moves the loop's clock, makes no difference.
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setImmediate(() => console.log('immediate'));
setTimeout(() => {
  console.log('outer');
  process.nextTick(() => {
    setTimeout(() => console.log('inner'), 1);
    stall();
    clearTimeout(setTimeout(() => {}, 1000));
  });
}, 1);
stall();
// TIMERS-7
