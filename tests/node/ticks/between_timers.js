for (let i = 0; i < 3; i++) {
  setTimeout(() => {
    console.log('timer', i);
    process.nextTick(() => console.log('tick', i));
    Promise.resolve().then(() => console.log('microtask', i));
  }, 1);
}
const start = Date.now();
while (Date.now() - start < 10);
// TIMERS-11
