'use strict';
const zlib = require('node:zlib');
const input = 'some text that is worth it, some text that is worth it';
(async () => {
  for (const [pack, Unpack] of [['gzip', 'Gunzip'], ['deflate', 'Inflate'], ['deflateRaw', 'InflateRaw'], ['gzip', 'Unzip'],
    ['brotliCompress', 'BrotliDecompress'], ['zstdCompress', 'ZstdDecompress']]) {
    const packed = zlib[`${pack}Sync`](input);
    await new Promise((resolve) => {
      const stream = new zlib[Unpack]();
      stream.on('data', (chunk) => console.log(Unpack, 'data', chunk.toString()));
      stream.on('error', (error) => console.log(Unpack, 'error', error.code, error.errno, error.message));
      stream.on('end', () => console.log(Unpack, 'end'));
      stream.on('close', () => { console.log(Unpack, 'close', stream.destroyed); resolve(); });
      stream.end(packed.subarray(0, packed.length - 2));
    });
    await new Promise((resolve) => zlib[Unpack[0].toLowerCase() + Unpack.slice(1)](packed.subarray(0, 5), (error, result) => {
      console.log(Unpack, error.code, error.errno, error.message, result);
      resolve();
    }));
  }
})();
