'use strict';
// Responses that a client does not accept.
const http = require('node:http');
const net = require('node:net');

const cases = {
  garbage: 'hello\r\n\r\n',
  badVersion: 'HTTP/3.0 200 OK\r\n\r\n',
  bothLengths: 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
  twoLengths: 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
  shortBody: 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc',
  badChunk: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  cutHead: 'HTTP/1.1 200 OK\r\nX: y',
  nothing: '',
  toTheEnd: 'HTTP/1.1 200 OK\r\n\r\nuntil the end',
  noReason: 'HTTP/1.1 204\r\n\r\n',
  largeHead: `HTTP/1.1 200 OK\r\nX: ${'y'.repeat(20_000)}\r\n\r\n`,
};
const left = Object.entries(cases);
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => socket.end(left[0][1]));
});
server.listen(0, '127.0.0.1', function next() {
  if (left.length === 0) {
    server.close();
    return;
  }
  const [name] = left[0];
  const events = [];
  const request = http.get({ port: server.address().port, host: '127.0.0.1' }, (response) => {
    events.push(`response ${response.statusCode} ${JSON.stringify(response.statusMessage)}`);
    let body = '';
    response.setEncoding('latin1');
    response.on('data', (chunk) => {
      body += chunk;
    });
    response.on('aborted', () => events.push('aborted'));
    response.on('error', (error) => events.push(`response ${error.code} ${error.message}`));
    response.on('end', () => events.push(`end ${JSON.stringify(body)}`));
    response.on('close', () => events.push(`response close ${response.complete}`));
  });
  request.on('error', (error) => events.push(`error ${error.code} ${error.message}`));
  request.on('close', () => setImmediate(() => {
    console.log(name, events);
    left.shift();
    next();
  }));
});
