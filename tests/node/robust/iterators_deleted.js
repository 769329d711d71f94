// Arrays cannot be iterated: what is printed and asserted stays the same, and so does the report of an error.
const assert = require('assert');
const util = require('util');
const vm = require('vm');

delete Object.getPrototypeOf([][Symbol.iterator]()).next;
delete Array.prototype[Symbol.iterator];

class Shape {
  static kinds = 3;
  #secret = 1;
  get area() { return 3; }
}
const deep = { a: [1, , 'two', { b: { c: { d: 1 } } }], m: new Map(), s: new Set(), f() {}, shape: new Shape(), [Symbol('x')]: 1n };
deep.m.set('k', { v: [1] }).set({ o: 1 }, new Date(0));
deep.s.add(1).add([2, 3]);
deep.self = deep;

function show(title, fn) {
  try {
    console.log(title, fn());
  } catch (error) {
    console.log(title, error.name, error.message);
  }
}

show('inspect', () => deep);
show('sorted', () => util.inspect({ b: 1, a: new Set() }, { sorted: true, compact: false }));
show('colors', () => util.inspect({ b: /a(?<n>b)c/, n: [1n, 'x', null, Symbol('y')] }, { colors: true }));
show('format', () => util.format('%s %d %i %j %o %O %c %%', 'a', 1, 2.5, { x: [1] }, [1], { y: new Map() }, 'css', 'rest'));
show('typed', () => [new Uint8Array(3), Buffer.from('abc'), new ArrayBuffer(2), new Float64Array(1)]);
show('iterators', () => [deep.m.keys(), deep.s.values(), deep.m.entries(), [1].values()]);
show('error', () => {
  const error = new TypeError('outer', { cause: new RangeError('inner') });
  error.code = 'CODE';
  error.stack = 'TypeError: outer\n    at one (a.js:1:1)';
  error.cause.stack = 'RangeError: inner\n    at two (b.js:1:1)\n    at one (a.js:1:1)';
  return error;
});
show('long', () => 'abc'.repeat(60).match(/.{20}/g));
show('match', () => assert.match('abc', /x/));
show('argument', () => new URL('x:'.repeat(0)));
show('missing', () => require('./none'));
show('types', () => util.isDeepStrictEqual(deep.m, deep.s));
show('vm', () => vm.runInNewContext('[x, typeof y]', vm.createContext({ x: 1 })));
show('strip', () => util.stripVTControlCharacters('\u001b[31mx\u001b[39m'));
console.table(undefined);
console.group('group');
console.dir({ a: 1 }, { depth: 0 });
console.groupEnd();
console.assert(false, 'assertion %s', 'text');
console.count();
console.error(new Map());
process.emitWarning('warned', { type: 'Custom', detail: 'detail' });
import('./fixtures/module.js').then((namespace) => {
  console.log(namespace);
  queueMicrotask(() => {
    const error = new Error('uncaught', { cause: { a: 1 } });
    error.more = ['x'];
    throw error;
  });
});
