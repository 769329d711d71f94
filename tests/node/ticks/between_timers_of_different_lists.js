for (const ms of [10, 20, 30]) {
  setTimeout(() => {
    console.log('timer', ms);
    Promise.resolve().then(() => console.log('microtask', ms));
    process.nextTick(() => console.log('tick', ms));
  }, ms);
}
const start = Date.now();
while (Date.now() - start < 60);
// TIMERS-11
