'use strict';
// RFC 7914 section 12, options under both of their names, what is refused.
const { scrypt, scryptSync } = require('node:crypto');

console.log(scryptSync('', '', 64, { N: 16, r: 1, p: 1 }).toString('hex'));
console.log(scryptSync('password', 'NaCl', 64, { N: 1024, r: 8, p: 16 }).toString('hex'));
console.log(scryptSync('pleaseletmein', 'SodiumChloride', 32, { cost: 2048, blockSize: 8, parallelization: 1 }).toString('hex'));
console.log(scryptSync('a', 'b', 0), scryptSync('a', 'b', 4, { N: 0 }).toString('hex'));
function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
attempt('N', () => scryptSync('a', 'b', 8, { N: 3 }));
attempt('N', () => scryptSync('a', 'b', 8, { N: 1 }));
attempt('memory', () => scryptSync('a', 'b', 8, { N: 2 ** 20 }));
attempt('memory', () => scryptSync('a', 'b', 8, { N: 16, maxmem: 100 }));
attempt('r', () => scryptSync('a', 'b', 8, { N: 2 ** 16, r: 2 ** 20 }));
attempt('both', () => scryptSync('a', 'b', 8, { N: 16, cost: 16 }));
for (const bad of [-1, 1.5, 2 ** 32, '1']) {
  attempt('N', () => scryptSync('a', 'b', 8, { N: bad }));
  attempt('maxmem', () => scryptSync('a', 'b', 8, { maxmem: bad === 2 ** 32 ? Infinity : bad }));
  attempt('length', () => scryptSync('a', 'b', bad));
}
attempt('callback', () => scrypt('a', 'b', 8));
scrypt('', '', 64, { N: 16, r: 1, p: 1 }, (error, key) => console.log(error, key.toString('base64')));
