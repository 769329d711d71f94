'use strict';
// flush(): each kind, with data before and after it; when its callback comes.
const zlib = require('node:zlib');
const { constants } = zlib;
(async () => {
  for (const kind of ['Z_NO_FLUSH', 'Z_PARTIAL_FLUSH', 'Z_SYNC_FLUSH', 'Z_FULL_FLUSH', 'Z_BLOCK', undefined]) {
    await new Promise((resolve) => {
      const stream = zlib.createDeflateRaw();
      const seen = [];
      stream.on('data', (chunk) => seen.push(chunk.toString('hex')));
      stream.write('hello');
      stream.flush(constants[kind], () => {
        seen.push('flushed');
        stream.write('world');
        stream.end(() => seen.push('finished'));
      });
      stream.on('close', () => { console.log(kind, seen.join(' ')); resolve(); });
    });
  }
  for (const [make, kind] of [['createBrotliCompress', constants.BROTLI_OPERATION_FLUSH], ['createZstdCompress', constants.ZSTD_e_flush],
    ['createBrotliCompress', undefined], ['createZstdCompress', undefined]]) {
    await new Promise((resolve) => {
      const stream = zlib[make]();
      stream.write('hello');
      stream.flush(kind, () => {
        console.log(make, 'flushed', stream.read().toString('hex'));
        stream.on('data', () => {}).on('close', resolve);
        stream.end();
      });
    });
  }
  const stream = zlib.createGzip();
  for (const kind of [-1, 6, 'x', NaN, 1.5]) {
    try { stream.flush(kind); console.log(kind, 'ok'); } catch (error) { console.log(kind, error.code, error.message); }
  }
  stream.on('data', () => {});
  stream.end();
  stream.flush(() => {
    console.log('flush after end', stream.writableEnded);
    stream.flush(() => console.log('flush after finish'));
    stream.flush();
  });
})();
