'use strict';
// Chunks with extensions: allowed up to a size, never taken for data.
const { run, reflect } = require('./fixtures/raw.js');

const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
run({
  named: `${head}3;a=b\r\nabc\r\n0\r\n\r\n`,
  quoted: `${head}3;a="b;c"\r\nabc\r\n0\r\n\r\n`,
  empty: `${head}3;\r\nabc\r\n0\r\n\r\n`,
  ofLast: `${head}3\r\nabc\r\n0;x=y\r\n\r\n`,
  lineFeedInside: `${head}3;a=\nb\r\nabc\r\n0\r\n\r\n`,
  spaceBefore: `${head}3 ;a=b\r\nabc\r\n0\r\n\r\n`,
  long: `${head}3;${'x'.repeat(17000)}\r\nabc\r\n0\r\n\r\n`,
}, reflect);
