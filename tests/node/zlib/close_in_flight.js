'use strict';
// A stream is closed while a thread works for it.
const zlib = require('node:zlib');
const big = Buffer.alloc(300000, 'abcdef');
const makers = ['createGzip', 'createDeflate', 'createBrotliCompress', 'createZstdCompress'];
let left = makers.length * 3;
const seen = [];
function done(text) {
  seen.push(text);
  if (--left === 0) console.log(seen.sort().join('\n'));
}
for (const make of makers) {
  const closed = zlib[make]();
  closed.write(big, (error) => done(`${make} write ${error?.code}`));
  closed.close(() => done(`${make} closed ${closed._closed} ${closed.destroyed}`));
  const destroyed = zlib[make]();
  destroyed.on('error', (error) => done(`${make} error ${error.message}`));
  destroyed.write(big);
  destroyed.destroy(new Error('enough'));
}
