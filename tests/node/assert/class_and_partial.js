// The class Assert, partialDeepStrictEqual(), and messages that are functions or formats.
const assert = require('assert');
const { Assert } = assert;
function show(fn) {
  try { fn(); console.log('ok'); } catch (error) { console.log(error.code ?? error.name, error.message.split('\n')[0]); }
}
show(() => Assert());
const strict = new Assert();
show(() => strict.equal(1, '1'));
show(() => new Assert({ strict: false }).equal(1, '1'));
show(() => new Assert({ diff: 'none' }));
class A { x = 1; }
show(() => strict.deepStrictEqual(new A(), { x: 1 }));
show(() => new Assert({ skipPrototype: true }).deepStrictEqual(new A(), { x: 1 }));
const full = { a: 1, b: [1, 2, 3], c: new Map([['k', { v: 1, w: 2 }]]), d: new Set([{ x: 1 }, 2]), e: new Uint8Array([1, 2, 3]) };
show(() => assert.partialDeepStrictEqual(full, { b: [1, 3] }));
show(() => assert.partialDeepStrictEqual(full, { b: [3, 1] }));
show(() => assert.partialDeepStrictEqual(full, { c: new Map([['k', { w: 2 }]]) }));
show(() => assert.partialDeepStrictEqual(full, { d: new Set([{ x: 1 }]) }));
show(() => assert.partialDeepStrictEqual(full, { d: new Set([{ x: 2 }]) }));
show(() => assert.partialDeepStrictEqual(full, { e: new Uint8Array([1, 3]) }));
show(() => assert.partialDeepStrictEqual(new Error('m', { cause: 1 }), new Error('m')));
show(() => assert.partialDeepStrictEqual({ a: 1 }, { a: 1, b: undefined }));
show(() => assert.strictEqual(1, 2, (actual, expected) => `${actual} is not ${expected}`));
show(() => assert.strictEqual(1, 2, 'got %d and %s', 1, 'two'));
show(() => assert.strictEqual(1, 2, new Error('mine'), 1));
show(() => assert.strictEqual(1, 2, 7));
show(() => assert.ok(0, 'nil: %o', [0]));
show(() => assert.fail());
const a = { v: 1 }; a.self = a;
const b = { v: 1, self: { v: 1 } }; b.self.self = b;
show(() => assert.deepStrictEqual(a, b));
console.log(Object.keys(assert).join());
