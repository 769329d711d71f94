'use strict';
// Levels, strategies, windows and memory: the bytes are those of the library.
const zlib = require('node:zlib');
const input = Buffer.from(Array.from({ length: 3000 }, (_, i) => `${i % 7}:${i * 7919 % 1009};`).join(''));
for (let level = -1; level <= 9; level++) {
  const out = zlib.deflateSync(input, { level });
  console.log('level', level, out.length, zlib.crc32(out), zlib.inflateSync(out).equals(input));
}
for (let strategy = 0; strategy <= 4; strategy++) {
  const out = zlib.gzipSync(input, { strategy });
  console.log('strategy', strategy, out.length, zlib.crc32(out), zlib.gunzipSync(out).equals(input));
}
for (let windowBits = 9; windowBits <= 15; windowBits++) {
  const out = zlib.deflateRawSync(input, { windowBits });
  console.log('windowBits', windowBits, out.length, zlib.crc32(out), zlib.inflateRawSync(out, { windowBits }).equals(input));
}
for (let memLevel = 1; memLevel <= 9; memLevel++) {
  const out = zlib.deflateSync(input, { memLevel });
  console.log('memLevel', memLevel, out.length, zlib.crc32(out), zlib.inflateSync(out).equals(input));
}
for (const chunkSize of [64, 100, 4096, 1 << 20]) {
  for (const level of [0, 6]) {
    const out = zlib.deflateSync(input, { chunkSize, level });
    console.log('chunkSize', chunkSize, level, out.length, zlib.crc32(out), zlib.inflateSync(out, { chunkSize }).equals(input));
  }
}
const raw = { windowBits: 8 };
console.log(zlib.inflateRawSync(zlib.deflateRawSync(input, raw), raw).equals(input), raw);
console.log(zlib.inflateSync(zlib.deflateSync(input, { windowBits: 8 })).equals(input));
