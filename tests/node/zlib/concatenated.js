'use strict';
// Members behind each other, padding, garbage.
const zlib = require('node:zlib');
const a = 'first part ';
const b = 'second part';
function attempt(label, block) {
  try { const result = block(); console.log(label, result.buffer ? `${result.buffer} ${result.engine.bytesWritten}` : `${result}`); } catch (error) { console.log(label, error.name, error.code, error.message); }
}
for (const [pack, unpack] of [['gzip', 'gunzip'], ['gzip', 'unzip'], ['deflate', 'inflate'], ['deflate', 'unzip'], ['deflateRaw', 'inflateRaw'],
  ['brotliCompress', 'brotliDecompress'], ['zstdCompress', 'zstdDecompress']]) {
  const one = zlib[`${pack}Sync`](a);
  const two = zlib[`${pack}Sync`](b);
  for (const [name, tail] of Object.entries({ member: two, zeros: Buffer.alloc(10), garbage: Buffer.from('garbage'), half: two.subarray(0, 4),
    most: two.subarray(0, -1), 'member and garbage': Buffer.concat([two, Buffer.from([1, 2, 3])]), 'zeros and member': Buffer.concat([Buffer.alloc(3), two]),
    'gzip id': Buffer.from([0x1f, 0x8b]), one: Buffer.from([0x1f]) })) {
    const whole = Buffer.concat([one, tail]);
    attempt(`${unpack} ${name}`, () => zlib[`${unpack}Sync`](whole));
    attempt(`${unpack} ${name} reject`, () => zlib[`${unpack}Sync`](whole, { rejectGarbageAfterEnd: true }));
    attempt(`${unpack} ${name} info`, () => zlib[`${unpack}Sync`](whole, { info: true }));
  }
}
