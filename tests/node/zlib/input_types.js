'use strict';
// What may be compressed.
const zlib = require('node:zlib');
const bytes = new Uint8Array([1, 2, 3, 4, 5, 6, 7, 8]);
const shared = new SharedArrayBuffer(8);
new Uint8Array(shared).set(bytes);
const inputs = { string: 'h\u00e9', Buffer: Buffer.from(bytes), Uint8Array: bytes, Uint16Array: new Uint16Array(bytes.buffer),
  part: new Uint8Array(bytes.buffer, 2, 3), DataView: new DataView(bytes.buffer, 1, 4), ArrayBuffer: bytes.buffer,
  SharedArrayBuffer: shared, Float64Array: new Float64Array(bytes.buffer), number: 1, null: null, undefined, object: {}, array: [1] };
(async () => {
  for (const [name, input] of Object.entries(inputs)) {
    for (const [pack, unpack] of [['gzip', 'gunzip'], ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']]) {
      try {
        console.log(name, zlib[`${unpack}Sync`](zlib[`${pack}Sync`](input)).toString('hex'));
      } catch (error) {
        console.log(name, error.code, error.message);
      }
      try {
        await new Promise((resolve, reject) => zlib[pack](input, (error, out) => {
          if (error) return reject(error);
          console.log(name, zlib[`${unpack}Sync`](out).toString('hex'));
          resolve();
        }));
      } catch (error) {
        console.log(name, error.code, error.message);
      }
    }
  }
})();
