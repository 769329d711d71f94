'use strict';
// Many at once: each gets its own bytes, in order.
const zlib = require('node:zlib');
let left = 60;
let good = 0;
for (let i = 0; i < 60; i++) {
  const gzip = zlib.createGzip({ level: i % 10 });
  const gunzip = zlib.createGunzip();
  let out = '';
  gzip.pipe(gunzip).on('data', (chunk) => { out += chunk; }).on('end', () => {
    const expected = Array.from({ length: 30 }, (_, n) => `${i}:${n};`.repeat(n * 40)).join('');
    if (out === expected) good++;
    if (--left === 0) console.log(good);
  });
  for (let n = 0; n < 30; n++) gzip.write(`${i}:${n};`.repeat(n * 40));
  gzip.end();
}
