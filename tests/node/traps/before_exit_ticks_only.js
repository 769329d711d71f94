// Ticks and microtasks of beforeExit run, but are no reason to go on.
let n = 0;
process.on('beforeExit', (code) => {
  console.log('beforeExit', ++n, code);
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
});
process.on('exit', () => console.log('exit'));
// LIFE-4, LIFE-8
