'use strict';
// Shapes, limits and errors of the random family; what is random itself is only looked at.
const crypto = require('node:crypto');

function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
for (const size of [0, 1, 16, 64, 65, 5000]) {
  const bytes = crypto.randomBytes(size);
  console.log(size, Buffer.isBuffer(bytes), bytes.length, bytes.buffer.byteLength, bytes.byteOffset, crypto.randomBytes.name);
}
const many = new Set(Array.from({ length: 2000 }, () => crypto.randomBytes(16).toString('hex')));
console.log(many.size, new Set(Array.from({ length: 2000 }, () => crypto.randomUUID())).size);
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const all = Array.from({ length: 300 }, () => crypto.randomUUID());
console.log(all.every((id) => uuid.test(id)), uuid.test(crypto.randomUUID({ disableEntropyCache: true })));
console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/.test(crypto.randomUUIDv7()));
for (const bad of [-1, 1.5, 2 ** 31, NaN, '1', undefined, null, {}]) {
  attempt('randomBytes', () => crypto.randomBytes(bad).length);
  attempt('randomInt', () => typeof crypto.randomInt(bad));
  attempt('randomUUID', () => crypto.randomUUID(bad).length);
}
attempt('option', () => crypto.randomUUID({ disableEntropyCache: 1 }));
attempt('callback', () => crypto.randomBytes(4, 1));
const target = new Uint16Array(8);
attempt('fill', () => crypto.randomFillSync(target, 4) === target && target.subarray(0, 4).every((value) => value === 0));
attempt('fill', () => crypto.randomFillSync(new ArrayBuffer(4), 5));
attempt('fill', () => crypto.randomFillSync(new Uint8Array(4), 2, 3));
attempt('fill', () => crypto.randomFillSync('text'));
attempt('fill', () => crypto.randomFillSync(new SharedArrayBuffer(4)).byteLength);
attempt('int', () => crypto.randomInt(5, 5));
attempt('int', () => crypto.randomInt(0, 2 ** 48));
const seen = new Set(Array.from({ length: 500 }, () => crypto.randomInt(-2, 3)));
console.log([...seen].sort((a, b) => a - b));
crypto.randomBytes(8, function(error, bytes) {
  console.log(error, bytes.length);
  crypto.randomFill(new Uint32Array(4), 1, 2, (failure, view) => {
    console.log(failure, view[0], view[3]);
    crypto.randomInt(3, (problem, value) => console.log(problem, value >= 0 && value < 3));
  });
});
