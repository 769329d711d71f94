'use strict';
// Bytes that are not compressed data at all.
const zlib = require('node:zlib');
let state = 12345;
const random = () => (state = (Math.imul(state, 1103515245) + 12345) >>> 0) >>> 16;
const functions = ['gunzip', 'inflate', 'inflateRaw', 'unzip', 'brotliDecompress', 'zstdDecompress'];
const prefixes = { gunzip: [0x1f, 0x8b, 8], inflate: [0x78, 0x9c], inflateRaw: [], unzip: [0x1f, 0x8b, 8], brotliDecompress: [0x1b],
  zstdDecompress: [0x28, 0xb5, 0x2f, 0xfd] };
for (const name of functions) {
  const counts = new Map();
  for (let round = 0; round < 150; round++) {
    const bytes = Buffer.from(Array.from({ length: random() % 40 }, random));
    const input = round % 2 === 0 ? bytes : Buffer.concat([Buffer.from(prefixes[name]), bytes]);
    let result;
    try { result = `${zlib[`${name}Sync`](input, { maxOutputLength: 1 << 16 }).length} bytes`; } catch (error) { result = `${error.name} ${error.code} ${error.errno} ${error.message}`; }
    counts.set(result, (counts.get(result) ?? 0) + 1);
  }
  for (const result of [...counts.keys()].sort()) console.log(name, counts.get(result), result);
}
