'use strict';
// Compressed data that ends early, at each byte.
const zlib = require('node:zlib');
const input = 'some text that is worth it, some text that is worth it';
for (const [pack, unpack] of [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['gzip', 'unzip'],
  ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']]) {
  const packed = zlib[`${pack}Sync`](input);
  const seen = new Map();
  for (let length = 0; length < packed.length; length++) {
    let result;
    try { result = zlib[`${unpack}Sync`](packed.subarray(0, length)).toString(); } catch (error) { result = `${error.code} ${error.errno} ${error.message}`; }
    seen.set(result, (seen.get(result) ?? 0) + 1);
  }
  for (const [result, count] of seen) console.log(unpack, count === packed.length ? 'all' : count, result);
  const flush = unpack.startsWith('z') ? zlib.constants.ZSTD_e_flush : unpack.startsWith('b') ? zlib.constants.BROTLI_OPERATION_FLUSH : zlib.constants.Z_SYNC_FLUSH;
  console.log(unpack, 'with finishFlush', zlib[`${unpack}Sync`](packed.subarray(0, packed.length - 3), { finishFlush: flush }).toString());
}
