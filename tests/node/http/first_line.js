'use strict';
// First lines, good and bad.
const { run, summarize } = require('./fixtures/raw.js');

const E = "\r\nHost: a\r\nConnection: close\r\n\r\n";
const cases = {
  plain: `GET /x?y=1#z HTTP/1.1${E}`,
  absolute: `GET http://a/b HTTP/1.1${E}`,
  options: `OPTIONS * HTTP/1.1${E}`,
  old: "GET /old HTTP/1.0\r\n\r\n",
  noHost: "GET / HTTP/1.1\r\nConnection: close\r\n\r\n",
  unknownMethod: `NONSENSE / HTTP/1.1${E}`,
  lowerCase: `get / HTTP/1.1${E}`,
  version: `GET / HTTP/3.7${E}`,
  noVersion: `GET /${E}`,
  spaces: `GET  /  HTTP/1.1${E}`,
  controls: `GET /\x01 HTTP/1.1${E}`,
  upperHalf: `GET /\xe4 HTTP/1.1${E}`,
  http2: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
};

run(cases, summarize);
