'use strict';
// Requests whose length can be understood in two ways are refused.
const { run, summarize } = require('./fixtures/raw.js');

const H = "Host: a\r\n";
const cases = {
  bothLengths: `POST / HTTP/1.1\r\n${H}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  twoLengths: `POST / HTTP/1.1\r\n${H}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
  signedLength: `POST / HTTP/1.1\r\n${H}Content-Length: +5\r\n\r\nabcde`,
  listLength: `POST / HTTP/1.1\r\n${H}Content-Length: 5, 5\r\n\r\nabcde`,
  hugeLength: `POST / HTTP/1.1\r\n${H}Content-Length: 99999999999999999999\r\n\r\n`,
  notChunkedLast: `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  unknownCoding: `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunkedchunked\r\n\r\n1\r\nA\r\n0\r\n\r\n`,
  spaceBeforeColon: `GET / HTTP/1.1\r\n${H}X-A : b\r\n\r\n`,
  folded: `GET / HTTP/1.1\r\n${H}X-A: b\r\n c\r\nConnection: close\r\n\r\n`,
  bareLineFeed: `GET / HTTP/1.1\n${H}\n\n`,
  bareReturn: `GET / HTTP/1.1\r\n${H}X-A: b\rX-B: c\r\n\r\n`,
  nul: `GET / HTTP/1.1\r\n${H}X-A: b\0c\r\n\r\n`,
};

run(cases, summarize);
