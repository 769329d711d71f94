// The immediate set by a timer still runs in the check phase of the same iteration, after those set before.
setImmediate(() => console.log('immediate of main'));
setTimeout(() => {
  console.log('timer');
  setImmediate(() => console.log('immediate of timer'));
}, 1);
const start = Date.now();
while (Date.now() - start < 10);
