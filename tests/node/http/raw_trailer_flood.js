'use strict';
// Trailers are bounded like heads.
const { run, reflect } = require('./fixtures/raw.js');

const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n';
run({
  few: `${head}A: b\r\nC: d\r\n\r\n`,
  repeated: `${head}A: b\r\nA: d\r\n\r\n`,
  forbiddenOnes: `${head}Content-Length: 3\r\nHost: b\r\n\r\n`,
  large: `${head}X: ${'y'.repeat(20_000)}\r\n\r\n`,
}, reflect);
