'use strict';
const zlib = require('node:zlib');
const c = zlib.constants;
const input = 'zstd has parameters too. '.repeat(100);
function attempt(label, block) {
  try { console.log(label, block()); } catch (error) { console.log(label, error.name, error.code, error.errno, error.message); }
}
for (const level of [-5, 1, 3, 9, 19]) {
  const out = zlib.zstdCompressSync(input, { params: { [c.ZSTD_c_compressionLevel]: level } });
  console.log(level, out.length, zlib.crc32(out), zlib.zstdDecompressSync(out).toString() === input);
}
attempt('checksum', () => zlib.zstdCompressSync(input, { params: { [c.ZSTD_c_checksumFlag]: 1 } }).length);
attempt('checksum', () => zlib.zstdCompressSync(input, { params: { [c.ZSTD_c_checksumFlag]: true } }).length);
attempt('no content size', () => zlib.zstdCompressSync(input, { params: { [c.ZSTD_c_contentSizeFlag]: 0 } }).length);
attempt('windowLogMax', () => zlib.zstdDecompressSync(zlib.zstdCompressSync(Buffer.alloc(1e6), { params: { [c.ZSTD_c_windowLog]: 20, [c.ZSTD_c_contentSizeFlag]: 0 } }),
  { params: { [c.ZSTD_d_windowLogMax]: 10 } }).length);
for (const params of [{ abc: 1 }, { 999: 1 }, { 100: 'x' }, { 100: 1000 }, { 101: 99 }, { 1: 1 }, { 100: 3, '1e2': 4 }]) {
  attempt(JSON.stringify(params), () => zlib.zstdCompressSync('x', { params }).length);
  attempt(`${JSON.stringify(params)} stream`, () => typeof zlib.createZstdCompress({ params }));
  attempt(`${JSON.stringify(params)} decompress`, () => typeof zlib.createZstdDecompress({ params }));
}
for (const pledgedSrcSize of [0, 4, 5, 6, -1, 1.5, 2 ** 53, NaN, '5', null]) {
  attempt(`pledged ${pledgedSrcSize}`, () => zlib.zstdCompressSync('hello', { pledgedSrcSize }).toString('hex'));
  attempt(`pledged ${pledgedSrcSize} stream`, () => typeof zlib.createZstdCompress({ pledgedSrcSize }));
}
const stream = zlib.createZstdCompress({ pledgedSrcSize: 100 });
stream.on('error', (error) => console.log(error.code, error.errno, error.message));
stream.end('too short');
