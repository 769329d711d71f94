'use strict';
// Each class as a stream, fed in pieces.
const zlib = require('node:zlib');
const { pipeline } = require('node:stream/promises');
const { Readable } = require('node:stream');
const text = Array.from({ length: 1500 }, (_, i) => `line ${i} ${i * i % 97}\n`).join('');
function* pieces(bytes, size) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function through(input, size, ...streams) {
  const chunks = [];
  await pipeline(Readable.from(pieces(input, size)), ...streams, async function(source) {
    for await (const chunk of source) chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}
(async () => {
  for (const [pack, unpack] of [['Gzip', 'Gunzip'], ['Deflate', 'Inflate'], ['DeflateRaw', 'InflateRaw'],
    ['Gzip', 'Unzip'], ['Deflate', 'Unzip'], ['BrotliCompress', 'BrotliDecompress'], ['ZstdCompress', 'ZstdDecompress']]) {
    for (const size of [31, 1000, 100000]) {
      const packer = zlib[`create${pack}`](pack === 'BrotliCompress' ? { params: { 1: 4 } } : {});
      const packed = await through(Buffer.from(text), size, packer);
      const unpacker = new zlib[unpack]();
      const back = await through(packed, size, unpacker);
      console.log(pack, unpack, size, packed.length, back.toString() === text, packer.bytesWritten === text.length,
        unpacker.bytesWritten === packed.length);
    }
  }
})();
