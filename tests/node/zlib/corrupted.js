'use strict';
// Every byte of the compressed data is changed in turn: an error or some output, and always the same.
const zlib = require('node:zlib');
const input = Buffer.from(Array.from({ length: 60 }, (_, i) => `item ${i * 37 % 11}`).join());
for (const [pack, unpack] of [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['brotliCompress', 'brotliDecompress'],
  ['zstdCompress', 'zstdDecompress']]) {
  const packed = zlib[`${pack}Sync`](input);
  for (const flip of [0x01, 0x80, 0xff]) {
    const line = [];
    for (let at = 0; at < packed.length; at++) {
      const changed = Buffer.from(packed);
      changed[at] ^= flip;
      try {
        line.push(zlib.crc32(zlib[`${unpack}Sync`](changed, { maxOutputLength: 100000 })).toString(36));
      } catch (error) {
        line.push(`${error.code}: ${error.message}`);
      }
    }
    console.log(unpack, flip);
    const counts = new Map();
    for (const result of line) counts.set(result, (counts.get(result) ?? 0) + 1);
    for (const [result, count] of counts) console.log(' ', count, result);
  }
}
