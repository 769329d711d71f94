'use strict';
// What insecureHTTPParser accepts, and what it does not.
const { run, reflect } = require('./fixtures/raw.js');

run({
  bothLengths: 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  bareLineFeed: 'GET / HTTP/1.1\nHost: a\n\n',
  control: 'GET / HTTP/1.1\r\nHost: a\r\nX: y\x01z\r\n\r\n',
  spaceBeforeColon: 'GET / HTTP/1.1\r\nHost: a\r\nX : y\r\n\r\n',
  unknownMethod: 'NONE / HTTP/1.1\r\nHost: a\r\n\r\n',
}, reflect, { insecureHTTPParser: true });
