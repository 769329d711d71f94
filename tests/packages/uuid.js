'use strict';
const assert = require('node:assert');
const uuid = require('uuid');

const random = new Set(Array.from({ length: 1000 }, () => uuid.v4()));
assert.strictEqual(random.size, 1000);
for (const id of random) assert.ok(uuid.validate(id) && uuid.version(id) === 4);

// Version 7 is ordered by time.
const ordered = Array.from({ length: 100 }, () => uuid.v7());
assert.deepStrictEqual([...ordered].sort(), ordered);
assert.strictEqual(uuid.version(uuid.v1()), 1);

console.log(uuid.v5('rondo.example', uuid.v5.DNS), uuid.v3('rondo.example', uuid.v3.URL));
console.log(uuid.parse('6ec0bd7f-11c0-43da-975e-2a8ad9ebae0b'), uuid.stringify(new Uint8Array(16).fill(0x44).fill(0x88, 8)));
console.log(uuid.v4({ random: Uint8Array.from({ length: 16 }, (_, i) => i) }), uuid.NIL, uuid.MAX);
try {
  uuid.parse('no uuid');
} catch (error) {
  console.log(error.name, error.message);
}
