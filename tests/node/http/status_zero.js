'use strict';
// A status of 000 is one, as llhttp sees it; what follows is its body.
const http = require('node:http');
const net = require('node:net');

const server = net.createServer((socket) => {
  socket.once('data', () => socket.end('HTTP/1.1 000 Nothing\r\nX: y\r\n\r\nthe body'));
});
server.listen(0, () => {
  http.get({ port: server.address().port }, (response) => {
    const { statusCode, statusMessage, method, url, rawHeaders } = response;
    console.log(statusCode, statusMessage, method, url, rawHeaders);
    response.setEncoding('utf8');
    response.on('data', (text) => console.log(text));
    response.on('end', () => server.close());
  });
});
