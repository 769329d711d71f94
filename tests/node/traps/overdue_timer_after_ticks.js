process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
setTimeout(() => console.log('timer'), 1);
setImmediate(() => console.log('immediate'));
const start = Date.now();
while (Date.now() - start < 10);
