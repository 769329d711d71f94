'use strict';
// The second argument of allocUnsafe() and allocUnsafeSlow(), and what memory is allocated for it.
console.log(Buffer.allocUnsafe(1).buffer.byteLength, Buffer.from('x').buffer.byteLength);
for (const alignment of [0, 1, 2, 3, 64, 4096, 2 ** 31, 1.5, '8', null, undefined, -1, NaN]) {
  for (const name of ['allocUnsafe', 'allocUnsafeSlow']) {
    try {
      const buffer = Buffer[name](10, alignment);
      console.log(name, alignment, buffer.length, buffer.buffer.byteLength, buffer.byteOffset % 8);
    } catch (error) {
      console.log(name, alignment, error.message);
    }
  }
}
console.log(Buffer.allocUnsafeSlow(0, 4096).buffer.byteLength);
console.log(Buffer.allocUnsafe(100000, 64).buffer.byteLength, Buffer.allocUnsafe(100, 128).buffer.byteLength);
// What is not too large by itself, but that no machine has, is not tried: under AddressSanitizer that ends the program.
try {
  Buffer.allocUnsafeSlow(2 ** 53 - 1, 64);
} catch (error) {
  console.log(error.name, error.code, error.message);
}
