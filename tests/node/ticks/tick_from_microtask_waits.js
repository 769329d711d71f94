// All microtasks, then the ticks they added, then the loop.
setImmediate(() => console.log('immediate'));
Promise.resolve().then(() => {
  process.nextTick(() => console.log('tick'));
  console.log('m1');
}).then(() => console.log('m2')).then(() => console.log('m3'));
// TICKS-2
