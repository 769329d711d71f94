'use strict';
// A write that waits for a handshake fails with the error of the handshake.
const net = require('net');
const tls = require('tls');

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', () => socket.end('I am no server of TLS'));
});
server.listen(0, () => {
  const socket = tls.connect({ port: server.address().port, rejectUnauthorized: false });
  const show = ({ code, syscall, message }) => [code, syscall, message.replace(/[0-9A-F]{16}:/, '').trim()];
  socket.write('hello', (error) => console.log('written', show(error)));
  socket.on('error', (error) => console.log('error', show(error)));
  socket.on('close', (hadError) => {
    console.log('close', hadError);
    server.close();
  });
});
