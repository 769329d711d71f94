const v8 = require('v8');
const value = { n: 1, s: 'é😀', d: new Date(0), r: /x/gi, m: new Map([[1, new Set(['a'])]]), a: [1, , 3], b: new Uint8Array([1, 2]), big: 12345678901234567890n, u: undefined, nul: null, nan: NaN, neg: -0 };
value.self = value;
const copy = v8.deserialize(v8.serialize(value));
console.log(copy, copy !== value, copy.self === copy, Object.is(copy.neg, -0));
console.log(v8.serialize('abc').toString('hex').slice(4), v8.deserialize(v8.serialize(Buffer.from('buf'))));
for (const bad of [() => {}, Symbol('x')]) {
  try {
    v8.serialize(bad);
  } catch (e) {
    console.log(e.name, e.message);
  }
}
