'use strict';
// UTF-16 in a buffer of odd length: whole units count, but offsets from the end of a searched buffer count all bytes.
const offsets = [-12, -10, -9, -8, -5, -4, -3, -2, -1, 0, 1, 4, 5, 7, 8, 9, 10, undefined];
for (const size of [9, 8, 5, 1, 0]) {
  const buffer = Buffer.alloc(size, 'ab');
  for (const value of ['', '\u6261', Buffer.alloc(0), Buffer.from('ab'), Buffer.from('aba'), '\u6261\u6261']) {
    for (const name of ['indexOf', 'lastIndexOf']) {
      const found = offsets.map((offset) => [undefined, 6, 5].map((end) =>
        (end === undefined ? buffer[name](value, offset, 'utf16le') : buffer[name](value, offset, end, 'utf16le'))).join('/'));
      console.log(size, name, JSON.stringify(value), found.join(' '));
    }
  }
}
// Half a surrogate pair is looked for as a replacement character.
const text = Buffer.from('ax\udc00y');
console.log(text.indexOf('x\udc00y'), text.lastIndexOf('\udc00'), Buffer.from([0x61, 0xed, 0xb0, 0x80]).includes('\udc00'));
// The slices of nothing need no valid range.
for (const [start, end] of [[3, 2], [4, 4], [0, 9], [1, 2], [9, 10]]) {
  for (const buffer of [Buffer.alloc(0), Buffer.from('a')]) {
    try {
      console.log(start, end, JSON.stringify(buffer.latin1Slice(start, end)));
    } catch (error) {
      console.log(start, end, error.code);
    }
  }
}
const added = Buffer.from('ab');
added.error = Object.assign(new Error('shown'), { stack: 'Error: shown\n    at here' });
console.log(added);
