'use strict';
// A server that answers before it has read an upload, and closes.
const http = require('node:http');

const server = http.createServer((request, response) => {
  response.writeHead(413, { 'Connection': 'close' });
  response.end('too large');
  console.log(request.method, request.complete);
});
server.listen(0, () => {
  const request = http.request({
    port: server.address().port, method: 'POST', headers: { 'Content-Length': 1000 },
  }, (response) => {
    console.log(response.statusCode, response.headers.connection);
    response.setEncoding('utf8');
    response.on('data', (chunk) => console.log(chunk));
    response.on('end', () => server.close());
  });
  request.on('error', () => {});
  request.flushHeaders();
});
