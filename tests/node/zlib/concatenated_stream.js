'use strict';
// The same in pieces: between two members, in the middle of the second, byte by byte.
const zlib = require('node:zlib');
function run(label, stream, pieces) {
  return new Promise((resolve) => {
    let out = '';
    stream.on('data', (chunk) => { out += chunk; });
    stream.on('error', (error) => console.log(label, 'error', error.code, error.message));
    stream.on('end', () => console.log(label, 'end'));
    stream.on('close', () => { console.log(label, 'close', JSON.stringify(out), stream.bytesWritten); resolve(); });
    let at = 0;
    (function next() {
      if (stream.destroyed) return;
      if (at === pieces.length) stream.end();
      else stream.write(pieces[at++], () => next());
    })();
  });
}
(async () => {
  for (const [pack, Unpack] of [['gzip', 'Gunzip'], ['gzip', 'Unzip'], ['deflate', 'Inflate'], ['brotliCompress', 'BrotliDecompress'], ['zstdCompress', 'ZstdDecompress']]) {
    const one = zlib[`${pack}Sync`]('first ');
    const two = zlib[`${pack}Sync`]('second');
    for (const rejectGarbageAfterEnd of [false, true]) {
      const label = `${Unpack} ${rejectGarbageAfterEnd}`;
      const make = () => new zlib[Unpack]({ rejectGarbageAfterEnd });
      await run(`${label} two pieces`, make(), [one, two]);
      await run(`${label} in the middle`, make(), [Buffer.concat([one, two.subarray(0, 3)]), two.subarray(3)]);
      await run(`${label} bytes`, make(), [...Buffer.concat([one, two])].map((byte) => Buffer.from([byte])));
      await run(`${label} garbage`, make(), [one, Buffer.from('garbage')]);
      await run(`${label} zeros`, make(), [one, Buffer.alloc(5)]);
    }
  }
})();
