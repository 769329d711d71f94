'use strict';
// A client that goes away in the middle: the request and the response emit events, and the server goes on.
const http = require('node:http');
const net = require('node:net');

const server = http.createServer((request, response) => {
  const { url } = request;
  const events = [];
  request.on('aborted', () => events.push('aborted'));
  request.on('error', (error) => events.push(`request ${error.code}`));
  request.on('close', () => events.push('request close'));
  response.on('finish', () => events.push('finish'));
  response.on('close', () => {
    events.push('close');
    setImmediate(() => {
      console.log(url, events.join(', '), response.destroyed, response.writableFinished, request.complete);
      next();
    });
  });
  request.resume();
  if (url === '/response') response.write('begun');
});

const cases = [
  ['/response', 'GET /response HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['/upload', 'POST /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc'],
  ['/chunked', 'POST /chunked HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n'],
];

function next() {
  const one = cases.shift();
  if (one === undefined) {
    server.close(() => console.log('closed'));
    return;
  }
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    socket.write(one[1], () => setTimeout(() => socket.destroy(), 30));
  });
  socket.resume();
}
server.listen(0, '127.0.0.1', next);
