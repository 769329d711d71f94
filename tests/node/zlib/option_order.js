'use strict';
// Which of several wrong options is reported.
const zlib = require('node:zlib');
function attempt(block) {
  try { console.log(block()); } catch (error) { console.log(error.code, error.message); }
}
const wrong = { windowBits: 1, level: 99, memLevel: 99, strategy: 99, dictionary: 'x', chunkSize: 1, flush: 99, finishFlush: 99, maxOutputLength: 0,
  rejectGarbageAfterEnd: 0 };
const names = Object.keys(wrong);
for (let i = 0; i < names.length; i++) {
  const opts = Object.fromEntries(names.slice(i).reverse().map((name) => [name, wrong[name]]));
  attempt(() => zlib.gzipSync(null, opts));
  attempt(() => new zlib.Deflate(opts));
}
attempt(() => zlib.gzipSync(null));
attempt(() => zlib.gzip(null, opts => 1));
attempt(() => zlib.gzip('x'));
attempt(() => zlib.gzip('x', {}));
attempt(() => zlib.gzip('x', {}, 5));
attempt(() => zlib.brotliCompressSync(1, { params: { 99: 1 } }));
