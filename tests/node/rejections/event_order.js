process.on('unhandledRejection', (reason) => {
  console.log('unhandled', reason);
  process.nextTick(() => console.log('tick of handler', reason));
});
Promise.reject(1);
Promise.reject(2);
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
setImmediate(() => console.log('immediate'));
