'use strict';
// Sizes of chunks: what is not a hexadecimal number, or too large a one, ends the connection.
const { run, reflect } = require('./fixtures/raw.js');

const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
run({
  upperCase: `${head}A\r\n0123456789\r\n0\r\n\r\n`,
  zeros: `${head}0003\r\nabc\r\n000\r\n\r\n`,
  prefix: `${head}0x3\r\nabc\r\n0\r\n\r\n`,
  negative: `${head}-1\r\nabc\r\n0\r\n\r\n`,
  word: `${head}abcg\r\nabc\r\n0\r\n\r\n`,
  missing: `${head}\r\nabc\r\n0\r\n\r\n`,
  oversized: `${head}fffffffffffffffff\r\nabc\r\n0\r\n\r\n`,
  dataTooLong: `${head}2\r\nabc\r\n0\r\n\r\n`,
  dataTooShort: `${head}4\r\nabc\r\n0\r\n\r\n`,
  bareLineFeed: `${head}3\nabc\n0\n\n`,
}, reflect);
