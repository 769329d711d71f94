process.nextTick(() => {
  console.log('tick 1');
  process.nextTick(() => console.log('tick 3'));
  Promise.resolve().then(() => {
    console.log('microtask 1');
    process.nextTick(() => console.log('tick 4'));
    queueMicrotask(() => console.log('microtask 2'));
  });
});
process.nextTick(() => console.log('tick 2'));
// TICKS-1
