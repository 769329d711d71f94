process.nextTick(() => console.log('tick'));
console.log('before');
await new Promise((resolve) => process.nextTick(resolve));
console.log('after');
process.nextTick(() => console.log('tick 2'));
await 0;
console.log('end');
