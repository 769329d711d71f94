'use strict';
// Methods of Buffer called on views that are not buffers.
const { inspect, toString, write, fill, toJSON, equals, indexOf, swap16, readUInt8, writeUInt8, slice, subarray, copy, compare } = Buffer.prototype;
const bytes = () => Uint8Array.of(104, 105, 33, 33);
console.log(toString.call(bytes()), toString.call(bytes(), 'hex'), toString.call(bytes(), undefined, 1), toString.call(bytes(), 'latin1', 1, 3));
const target = bytes();
console.log(write.call(target, 'ab'), write.call(target, 'c', 2), write.call(target, 'ff', 3, 'hex'), write.call(target, 'x', 0, 1), target);
console.log(inspect.call(bytes()), fill.call(bytes(), 'z'), toJSON.call(bytes()), equals.call(bytes(), bytes()), indexOf.call(bytes(), '!'));
console.log(swap16.call(bytes()), readUInt8.call(bytes(), 1), writeUInt8.call(bytes(), 5), slice.call(bytes(), 1), subarray.call(bytes(), 2),
  copy.call(bytes(), target), compare.call(bytes(), target), target);
