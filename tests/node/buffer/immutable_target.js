// rondo-test: option=--js-immutable-arraybuffer
'use strict';
// copy() leaves memory alone that must not change, and says so.
function immutable(...bytes) {
  return Buffer.from(Uint8Array.from(bytes).buffer.transferToImmutable());
}
const target = immutable(1, 2, 3, 4);
const source = Buffer.from([9, 9, 9, 9]);
console.log(source.copy(target), source.copy(target, 1, 0, 2), source.copy(target, 0, 1), target);
console.log(target.copy(source), source);
