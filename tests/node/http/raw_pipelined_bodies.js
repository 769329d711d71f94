'use strict';
// Requests with and without bodies that arrive together are answered in turn, also if a body is never read.
const { run } = require('./fixtures/raw.js');

const get = (url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (url, body) => `POST ${url} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chunked = (url) => `POST ${url} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n`;
let count = 0;
run({
  together: get('/1') + post('/2', 'abc') + chunked('/3') + get('/4') + post('/unread', 'x'.repeat(100)) + get('/last'),
  byteByByte: (get('/1') + post('/last', 'abc')).split(/(?<=\r\n)/),
  many: get('/n').repeat(30) + get('/last'),
}, (request, response) => {
  count++;
  if (request.url === '/last') response.setHeader('Connection', 'close');
  if (request.url === '/n') {
    response.writeHead(200, { 'Content-Length': '1' });
    response.end('.');
    return;
  }
  if (request.url === '/unread') {
    response.end('unread');
    return;
  }
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => response.end(`${request.url} ${body}`));
}).then(() => console.log(count));
