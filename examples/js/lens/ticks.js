setImmediate(() => {
  Promise.resolve().then(function promise() {});
  process.nextTick(function first() {
    process.nextTick(function second() {});
  });
});
setImmediate(() => console.log('only now the next immediate'));
