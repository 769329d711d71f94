const original = { d: new Date(0), m: new Map([['k', { v: 1 }]]), s: new Set([1]), r: /x/g, e: new RangeError('err'), a: new Uint8Array([1, 2]), n: [1, , 3], big: 1n, nested: { x: undefined } };
original.self = original;
const copy = structuredClone(original);
console.log(copy.d, copy.m, copy.s, copy.r, copy.e instanceof RangeError, copy.e.message, copy.a, copy.n, copy.big, copy.nested, copy.self === copy, copy.m.get('k') !== original.m.get('k'));
class K { constructor() { this.x = 1; } get y() { return 2; } }
console.log(structuredClone(new K()), structuredClone(Object(1)), structuredClone(null));
const buffer = new ArrayBuffer(8);
const moved = structuredClone(buffer, { transfer: [buffer] });
console.log(buffer.byteLength, moved.byteLength);
