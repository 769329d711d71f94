// clearImmediate on a later immediate from an earlier one
setImmediate(() => { console.log('1'); clearImmediate(b); });
const b = setImmediate(() => console.log('2, never'));
setImmediate(() => console.log('3'));
// CHECK-4
