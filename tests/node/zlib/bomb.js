'use strict';
// maxOutputLength, in one call, with a callback, and that a stream knows no such limit.
const zlib = require('node:zlib');
const big = Buffer.alloc(3e6);
(async () => {
  for (const [pack, unpack] of [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['gzip', 'unzip'],
    ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']]) {
    const bomb = zlib[`${pack}Sync`](big, pack === 'brotliCompress' ? { params: { 1: 2 } } : {});
    for (const maxOutputLength of [1, 1000, 16384, 2999999, 3000000, 3000001]) {
      let sync;
      try { sync = zlib[`${unpack}Sync`](bomb, { maxOutputLength }).length; } catch (error) { sync = `${error.name} ${error.code} ${error.message}`; }
      const async = await new Promise((resolve) => zlib[unpack](bomb, { maxOutputLength }, (error, out) => resolve(error ? `${error.code}` : out.length)));
      console.log(unpack, maxOutputLength, sync, async);
    }
  }
  try { zlib.gzipSync(Buffer.from('some text'), { maxOutputLength: 5 }); } catch (error) { console.log(error.message); }
  // Garbage behind the limit is found or not, depending on the chunk.
  const broken = Buffer.concat([zlib.deflateRawSync(Buffer.alloc(50000, 'abc'), { finishFlush: 2 }), Buffer.from([6, 0, 0])]);
  for (const chunkSize of [64, 16384, 65536]) {
    for (const maxOutputLength of [100, 40000, 60000]) {
      try { console.log(zlib.inflateRawSync(broken, { chunkSize, maxOutputLength }).length); } catch (error) { console.log(chunkSize, maxOutputLength, error.code); }
    }
  }
})();
