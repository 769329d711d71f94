'use strict';
const zlib = require('node:zlib');
const c = zlib.constants;
const input = 'brotli has parameters. '.repeat(100);
function attempt(label, block) {
  try { console.log(label, block()); } catch (error) { console.log(label, error.name, error.code, error.message); }
}
for (let quality = 0; quality <= 11; quality++) {
  const out = zlib.brotliCompressSync(input, { params: { [c.BROTLI_PARAM_QUALITY]: quality } });
  console.log(quality, out.length, zlib.crc32(out), zlib.brotliDecompressSync(out).toString() === input);
}
for (const mode of [c.BROTLI_MODE_GENERIC, c.BROTLI_MODE_TEXT, c.BROTLI_MODE_FONT]) {
  console.log('mode', zlib.brotliCompressSync(input, { params: { [c.BROTLI_PARAM_MODE]: mode, [c.BROTLI_PARAM_SIZE_HINT]: input.length } }).length);
}
attempt('lgwin', () => zlib.brotliCompressSync(input, { params: { [c.BROTLI_PARAM_LGWIN]: 10 } }).length);
attempt('large window', () => zlib.brotliDecompressSync(zlib.brotliCompressSync(input, { params: { [c.BROTLI_PARAM_LARGE_WINDOW]: true, [c.BROTLI_PARAM_LGWIN]: 28 } }),
  { params: { [c.BROTLI_DECODER_PARAM_LARGE_WINDOW]: true } }).length);
attempt('large window refused', () => zlib.brotliDecompressSync(zlib.brotliCompressSync(input, { params: { [c.BROTLI_PARAM_LARGE_WINDOW]: true, [c.BROTLI_PARAM_LGWIN]: 28 } })).length);
for (const params of [{ abc: 1 }, { 99: 1 }, { '-1': 1 }, { 1: 'x' }, { 1: null }, { '1.0': 1, 1: 2 }, { 1: 99 }, { 2: 3 }, { 0.5: 1 }, 'text', null, 5, { 9: 1 }]) {
  attempt(JSON.stringify(params), () => zlib.brotliCompressSync('x', { params }).length);
  attempt(`${JSON.stringify(params)} stream`, () => typeof zlib.createBrotliCompress({ params }));
  attempt(`${JSON.stringify(params)} decompress`, () => typeof zlib.createBrotliDecompress({ params }));
}
attempt('flush', () => zlib.createBrotliCompress({ flush: 4 }));
attempt('finishFlush', () => zlib.createBrotliCompress({ finishFlush: 4 }));
