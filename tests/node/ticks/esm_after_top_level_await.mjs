await null;
Promise.resolve().then(() => console.log('microtask'));
process.nextTick(() => console.log('tick'));
await null;
console.log('after await');
