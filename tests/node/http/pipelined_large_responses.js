'use strict';
// Responses to requests that arrive together: more bytes than one write takes, ends in between, and a
// response that is late.
const { run } = require('./fixtures/raw.js');

const get = (url) => `GET ${url} HTTP/1.1\r\nHost: a\r\n\r\n`;
const crypto = require('node:crypto');
const hash = (text) => crypto.createHash('sha256').update(text, 'latin1').digest('hex');
const { log } = console;
console.log = (text) => log(text.length > 3000 ? `${text.length} ${hash(text)}` : text);
run({
  large: get('/50000').repeat(10) + get('/last'),
  mixed: get('/1') + get('/late') + get('/50000') + get('/1') + get('/written') + get('/last'),
  closedInBetween: get('/1') + get('/last') + get('/1'),
}, (request, response) => {
  const size = Number(request.url.slice(1));
  if (request.url === '/last') response.setHeader('Connection', 'close');
  if (request.url === '/late') {
    setTimeout(() => response.end('late'), 20);
  } else if (request.url === '/written') {
    response.write('a');
    response.write('b');
    response.end('c');
  } else {
    response.end('x'.repeat(size || 3));
  }
});
