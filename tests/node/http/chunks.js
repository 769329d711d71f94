'use strict';
// Chunked bodies, well formed and not.
const { run, summarize } = require('./fixtures/raw.js');

const P = "POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
const cases = {
  plain: `${P}3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n`,
  extension: `${P}3;name=value\r\nabc\r\n0\r\n\r\n`,
  trailers: `${P}1\r\na\r\n0\r\nX-T: 1\r\n\r\n`,
  upperCase: `${P}A\r\n0123456789\r\n0\r\n\r\n`,
  badSize: `${P}xyz\r\nabc\r\n0\r\n\r\n`,
  hugeSize: `${P}fffffffffffffffff\r\nabc\r\n`,
  missingEnd: `${P}3\r\nabcX\r\n0\r\n\r\n`,
  spaceAfterSize: `${P}3 \r\nabc\r\n0\r\n\r\n`,
  longExtension: `${P}1;${"x".repeat(17000)}\r\na\r\n0\r\n\r\n`,
};

run(cases, summarize);
