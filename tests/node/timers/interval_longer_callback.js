// A callback longer than the interval: immediates still come between.
let n = 0;
const timer = setInterval(() => {
  console.log('interval', ++n);
  setImmediate(() => console.log('immediate', n));
  const start = Date.now();
  while (Date.now() - start < 10);
  if (n === 3) clearInterval(timer);
}, 2);
// TIMERS-8
