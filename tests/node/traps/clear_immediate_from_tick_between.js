setImmediate(() => {
  console.log('1');
  process.nextTick(() => clearImmediate(b));
});
const b = setImmediate(() => console.log('2, never'));
setImmediate(() => {
  console.log('3');
  Promise.resolve().then(() => clearImmediate(d));
});
const d = setImmediate(() => console.log('4, never'));
// CHECK-4
