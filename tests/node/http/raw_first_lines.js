'use strict';
// First lines that are none.
const { run, reflect } = require('./fixtures/raw.js');

run({
  nothing: '\r\n\r\n\0\r\n',
  garbage: '\x16\x03\x01\x02\x00\x01\x00',
  noTarget: 'GET HTTP/1.1\r\nHost: a\r\n\r\n',
  noVersion: 'GET /\r\nHost: a\r\n\r\n',
  version2: 'GET / HTTP/2.0\r\nHost: a\r\n\r\n',
  version12: 'GET / HTTP/1.2\r\nHost: a\r\n\r\n',
  lowerCase: 'get / HTTP/1.1\r\nHost: a\r\n\r\n',
  twoSpaces: 'GET  / HTTP/1.1\r\nHost: a\r\n\r\n',
  trailingSpace: 'GET / HTTP/1.1 \r\nHost: a\r\n\r\n',
  targetWithSpace: 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n',
  control: 'GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n',
  absolute: 'GET http://x/y?z HTTP/1.1\r\nHost: a\r\n\r\n',
  asterisk: 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
  rtsp: 'DESCRIBE / RTSP/1.0\r\nHost: a\r\n\r\n',
}, reflect);
