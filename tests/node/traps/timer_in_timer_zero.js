// A timer set inside a timer for 0 ms does not run in the same visit: the immediate comes between.
setTimeout(() => {
  console.log('outer');
  setTimeout(() => console.log('inner'), 0);
  setImmediate(() => console.log('immediate'));
  const start = Date.now();
  while (Date.now() - start < 10);
}, 1);
// TIMERS-6
