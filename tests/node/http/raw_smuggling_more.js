'use strict';
// More requests that a proxy may understand otherwise than a server.
const { run, reflect } = require('./fixtures/raw.js');

const post = (lines, body) => `POST / HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n${body}`;
run({
  sameLengthTwice: post('Content-Length: 3\r\nContent-Length: 3', 'abc'),
  emptyLength: post('Content-Length:', 'abc'),
  spacedLength: post('Content-Length: 3 3', 'abc'),
  hexLength: post('Content-Length: 0x3', 'abc'),
  tabBeforeColon: post('Content-Length\t: 3', 'abc'),
  tabAsSpace: post('Content-Length:\t3', 'abc'),
  codingInTwoLines: post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '3\r\nabc\r\n0\r\n\r\n'),
  codingTwice: post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '3\r\nabc\r\n0\r\n\r\n'),
  gzipThenChunked: post('Transfer-Encoding: gzip, chunked', '3\r\nabc\r\n0\r\n\r\n'),
  codingOfVersion10: 'POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  lengthAfterFold: post('X: y\r\n Content-Length: 3', ''),
  nameWithSpace: post('Content Length: 3', ''),
  leadingSpace: post(' Content-Length: 3', ''),
  twoHosts: 'GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  noHost: 'GET / HTTP/1.1\r\n\r\n',
}, reflect);
