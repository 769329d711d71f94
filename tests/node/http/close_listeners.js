'use strict';
// In which order a response and the listeners of its socket learn that the client has gone.
const http = require('http');
const net = require('net');

const server = http.createServer((request, response) => {
  request.socket.on('close', () => console.log('of the request'));
  request.on('error', () => {});
  response.on('close', () => console.log('response'));
  client.destroy();
});
server.on('connection', (socket) => {
  socket.on('close', () => {
    console.log('of the connection');
    server.close();
  });
});
let client;
server.listen(0, '127.0.0.1', () => {
  client = net.connect(server.address().port, '127.0.0.1');
  client.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nx');
});
