'use strict';
const zlib = require('node:zlib');
const dictionary = Buffer.from('hello world, this is a dictionary of words that come often');
const input = Buffer.from('this is hello world, words that come often, hello world of words');
function attempt(label, block) {
  try { console.log(label, block().toString()); } catch (error) { console.log(label, error.name, error.code, error.errno, error.message); }
}
for (const [pack, unpack] of [['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['gzip', 'gunzip'], ['brotliCompress', 'brotliDecompress'],
  ['zstdCompress', 'zstdDecompress']]) {
  const out = zlib[`${pack}Sync`](input, { dictionary });
  console.log(pack, out.length);
  attempt('right', () => zlib[`${unpack}Sync`](out, { dictionary }));
  attempt('ArrayBuffer', () => zlib[`${unpack}Sync`](out, { dictionary: new Uint8Array(dictionary).buffer }));
  attempt('none', () => zlib[`${unpack}Sync`](out).length);
  attempt('wrong', () => zlib[`${unpack}Sync`](out, { dictionary: Buffer.from('another one altogether') }).length);
  attempt('empty', () => zlib[`${unpack}Sync`](out, { dictionary: Buffer.alloc(0) }).length);
  attempt('text', () => zlib[`${unpack}Sync`](out, { dictionary: 'text' }).length);
}
attempt('unzip', () => zlib.unzipSync(zlib.deflateSync(input, { dictionary }), { dictionary }));
const stream = zlib.createInflate({ dictionary });
stream.on('data', (chunk) => console.log('stream', chunk.toString()));
const packed = zlib.deflateSync(input, { dictionary });
stream.write(packed.subarray(0, 3));
stream.end(packed.subarray(3));
