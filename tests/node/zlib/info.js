'use strict';
const zlib = require('node:zlib');
const { buffer, engine } = zlib.gzipSync('hello', { info: true });
console.log(buffer.length, engine instanceof zlib.Gzip, engine.bytesWritten, engine._closed, engine.destroyed);
const back = zlib.gunzipSync(Buffer.concat([buffer, Buffer.alloc(4)]), { info: true });
console.log(back.buffer.toString(), back.engine.bytesWritten, back.engine.constructor.name);
zlib.deflate('hello', { info: true }, (error, result) => {
  console.log(error, Object.keys(result), result.buffer.length, result.engine.bytesWritten, result.engine instanceof zlib.Deflate);
  zlib.brotliDecompress(zlib.brotliCompressSync('x'), { info: true }, (error, { buffer, engine }) => {
    console.log(buffer.toString(), engine.bytesWritten, engine instanceof zlib.BrotliDecompress);
  });
});
