for (let i = 0; i < 5; i++) {
  setImmediate(() => {
    console.log('immediate', i);
    setTimeout(() => console.log('timer', i), 1);
  });
  process.nextTick(() => console.log('tick', i));
  queueMicrotask(() => console.log('microtask', i));
}
// ITERATION-3
