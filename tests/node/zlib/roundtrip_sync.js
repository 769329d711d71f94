'use strict';
// Every pair of synchronous functions, over several sizes and contents.
const zlib = require('node:zlib');
const pairs = [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['brotliCompress', 'brotliDecompress'],
  ['zstdCompress', 'zstdDecompress'], ['gzip', 'unzip'], ['deflate', 'unzip']];
const inputs = {
  empty: Buffer.alloc(0),
  byte: Buffer.from('x'),
  text: Buffer.from('the quick brown fox '.repeat(40)),
  zeros: Buffer.alloc(100000),
  noise: Buffer.from(Uint32Array.from({ length: 9000 }, (_, i) => Math.imul(i + 1, 2654435761) >>> 0).buffer),
};
for (const [pack, unpack] of pairs) {
  for (const [name, input] of Object.entries(inputs)) {
    const packed = zlib[`${pack}Sync`](input, pack === 'brotliCompress' ? { params: { 1: 5 } } : undefined);
    const back = zlib[`${unpack}Sync`](packed);
    console.log(pack, unpack, name, packed.length, zlib.crc32(packed), back.equals(input), Buffer.isBuffer(back));
  }
}
