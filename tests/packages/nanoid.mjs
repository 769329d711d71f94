import assert from 'node:assert';
import { createRequire } from 'node:module';
import { customAlphabet, customRandom, nanoid, urlAlphabet } from 'nanoid';
import { nanoid as insecure } from 'nanoid/non-secure';

const ids = new Set(Array.from({ length: 5000 }, () => nanoid()));
assert.strictEqual(ids.size, 5000);
for (const id of ids) assert.match(id, /^[\w-]{21}$/);
assert.match(customAlphabet('abc', 40)(), /^[abc]{40}$/);
assert.strictEqual(insecure(7).length, 7);

let state = 1;
const predictable = customRandom(urlAlphabet, 12, (size) => Uint8Array.from({ length: size }, () => {
  state = (state * 48271) % 2147483647;
  return state;
}));
console.log(predictable(), predictable(), urlAlphabet.length);
// require() of an ES module.
console.log(Object.keys(createRequire(import.meta.url)('nanoid')).sort());
