// A timer of another, shorter duration set inside a timer waits for the next visit too.
setTimeout(() => {
  console.log('5 ms');
  setTimeout(() => console.log('inner 1 ms'), 1);
  setImmediate(() => console.log('immediate'));
}, 5);
const start = Date.now();
while (Date.now() - start < 20);
// TIMERS-6
