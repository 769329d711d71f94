'use strict';
// What setHeader() and its kin refuse.
const http = require('http');

const message = new http.OutgoingMessage();
const attempts = [
  () => message.setHeader('', 'a'),
  () => message.setHeader('a b', 'a'),
  () => message.setHeader(5, 'a'),
  () => message.setHeader('a'),
  () => message.setHeader('a', 'b\nc'),
  () => message.setHeader('a', '\u0100'),
  () => message.getHeader(5),
  () => message.hasHeader(),
  () => message.removeHeader(null),
  () => message.setHeaders({}),
  () => message.setHeaders([['a', 'b']]),
  () => message.addTrailers({ 'a b': 1 }),
  () => message.addTrailers({ a: 'b\r' }),
  () => message.write(null),
  () => message.write(5),
  () => message._implicitHeader(),
  () => http.validateHeaderName('a\0'),
  () => http.validateHeaderValue('x', undefined),
  () => http.createServer({ headersTimeout: 10, requestTimeout: 5 }),
  () => http.createServer({ maxHeaderSize: -1 }),
  () => http.createServer({ httpValidation: 'no' }),
  () => http.createServer({ httpValidation: 'strict', insecureHTTPParser: true }),
  () => http.createServer({ insecureHTTPParser: 1 }),
  () => http.request({ path: '/a b' }),
  () => http.request({ method: 'a b' }),
  () => http.request({ host: 5 }),
  () => http.request({ protocol: 'ftp:' }),
  () => http.request({ agent: {} }),
  () => new http.Agent({ scheduling: 'x' }),
  () => new http.Agent({ maxTotalSockets: 0 }),
  () => http.setMaxIdleHTTPParsers(0),
];
for (const attempt of attempts) {
  try {
    attempt();
    console.log('ok');
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
message.setHeader('X-Case', 1).appendHeader('x-case', [2, 3]).setHeaders(new Map([['set-cookie', 'a'], ['b', 'c']]));
console.log(message.getHeaders(), message.getHeaderNames(), message.getRawHeaderNames());
