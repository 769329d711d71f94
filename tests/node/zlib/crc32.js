'use strict';
const { crc32 } = require('node:zlib');
console.log(crc32(''), crc32('', 7), crc32('hello'), crc32(Buffer.from('hello')), crc32('llo', crc32('he')));
console.log(crc32('h\u00e9llo \u20ac \u{1f600}'), crc32('\ud800'), crc32(new DataView(new ArrayBuffer(9))));
console.log(crc32(new Uint16Array([1, 2, 3])), crc32(new Float64Array(100)), crc32(Buffer.alloc(1e6, 'ab')));
console.log(crc32('x', 4294967295), crc32('x', -0));
for (const args of [[], [1], [null], [new ArrayBuffer(1)], ['x', -1], ['x', 4294967296], ['x', '1'], ['x', 1.5], ['x', NaN]]) {
  try { console.log(crc32(...args)); } catch (error) { console.log(error.name, error.code, error.message); }
}
