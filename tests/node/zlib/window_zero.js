'use strict';
// Windows that are smaller than the data wants.
const zlib = require('node:zlib');
const input = Buffer.from(Array.from({ length: 20000 }, (_, i) => String.fromCharCode(97 + i * i % 26)).join(''));
for (const bits of [9, 12, 15]) {
  const packed = zlib.deflateSync(input, { windowBits: bits });
  for (const windowBits of [0, 9, 12, 15, undefined]) {
    try { console.log(bits, windowBits, zlib.inflateSync(packed, { windowBits }).equals(input)); } catch (error) { console.log(bits, windowBits, error.code, error.message); }
  }
}
// The state that is kept from one call to the next forgets what a header said.
for (let i = 0; i < 4; i++) {
  const windowBits = i % 2 === 0 ? 9 : 15;
  console.log(zlib.inflateSync(zlib.deflateSync(input, { windowBits })).equals(input), zlib.unzipSync(zlib.gzipSync(input, { windowBits })).equals(input),
    zlib.unzipSync(zlib.deflateSync(input, { windowBits })).equals(input));
}
