'use strict';
// Limits of a head: its bytes, the number of its lines that a program gets to see.
const { run } = require('./fixtures/raw.js');

const lines = (count) => Array.from({ length: count }, (_, i) => `X${i}: y\r\n`).join('');
run({
  manyLines: `GET / HTTP/1.1\r\nHost: a\r\n${lines(1200)}\r\n`,
  tooManyBytes: `GET / HTTP/1.1\r\nHost: a\r\n${lines(3000)}\r\n`,
  longValue: `GET / HTTP/1.1\r\nHost: a\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
  longName: `GET / HTTP/1.1\r\nHost: a\r\n${'x'.repeat(20_000)}: y\r\n\r\n`,
  longTarget: `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
  manyEmpty: `${'\r\n'.repeat(1000)}GET / HTTP/1.1\r\nHost: a\r\n\r\n`,
}, (request, response) => {
  response.setHeader('Connection', 'close');
  response.end(`${Object.keys(request.headers).length} ${request.rawHeaders.length}`);
});
