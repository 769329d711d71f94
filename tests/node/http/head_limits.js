'use strict';
// Heads that are too large, or have too many lines.
const { run, summarize } = require('./fixtures/raw.js');

const lines = (n) => "X-A: b\r\n".repeat(n);
const cases = {
  many: `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines(900)}\r\n`,
  tooMany: `GET / HTTP/1.1\r\nHost: a\r\n${lines(1100)}\r\n`,
  largeUrl: `GET /${"x".repeat(20000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  largeValue: `GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"x".repeat(20000)}\r\n\r\n`,
};

run(cases, summarize);
