for (let i = 0; i < 3; i++) {
  setImmediate(() => {
    console.log('immediate', i);
    Promise.resolve().then(() => console.log('microtask', i));
    process.nextTick(() => console.log('tick', i));
  });
}
// CHECK-1
