'use strict';
// Responses with their own lengths, codings and connection fields, byte for byte.
const { run } = require('./fixtures/raw.js');

const handlers = {
  '/implicit': (response) => response.end('abc'),
  '/empty': (response) => response.end(),
  '/length': (response) => {
    response.setHeader('Content-Length', 3);
    response.end('abc');
  },
  '/writes': (response) => {
    response.write('a');
    response.end('b');
  },
  '/noLength': (response) => {
    response.removeHeader('Content-Length');
    response.end('abc');
  },
  '/noCoding': (response) => {
    response.removeHeader('Transfer-Encoding');
    response.write('a');
    response.end('b');
  },
  '/status204': (response) => {
    response.statusCode = 204;
    response.end('ignored');
  },
  '/status304': (response) => response.writeHead(304).end(),
  '/reason': (response) => response.writeHead(299, 'Quite fine', { 'X-A': ['1', '2'] }).end('x'),
  '/array': (response) => response.writeHead(200, ['X-A', '1', 'X-A', '2', 'Content-Length', '1']).end('x'),
  '/trailers': (response) => {
    response.setHeader('Trailer', 'X-T');
    response.write('a');
    response.addTrailers({ 'X-T': 'b' });
    response.end();
  },
  '/early': (response) => {
    response.writeEarlyHints({ link: '</a.css>; rel=preload' });
    response.writeProcessing();
    response.end('x');
  },
  '/noDate': (response) => {
    response.sendDate = false;
    response.end('\u00e9', 'latin1');
  },
};
const cases = {};
for (const url of Object.keys(handlers)) {
  cases[url] = `GET ${url} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  if (url !== '/trailers') cases[`${url} 1.0`] = `GET ${url} HTTP/1.0\r\n\r\n`;
}
cases.head = 'HEAD /implicit HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
run(cases, (request, response) => handlers[request.url](response));
