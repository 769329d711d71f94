'use strict';
// Every function with a callback. One after the other: the order of those that are under way together is open.
const zlib = require('node:zlib');
const { promisify } = require('node:util');
const input = 'A long time ago in a galaxy far, far away. '.repeat(500);
(async () => {
  for (const [pack, unpack] of [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'],
    ['gzip', 'unzip'], ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']]) {
    const packed = await promisify(zlib[pack])(input);
    const back = await promisify(zlib[unpack])(packed);
    console.log(pack, packed.length, zlib.crc32(packed), back.toString() === input);
    console.log(packed.equals(zlib[`${pack}Sync`](input)));
  }
})();
