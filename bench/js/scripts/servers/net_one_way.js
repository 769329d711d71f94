'use strict';
// A client of another process sends 1 GiB. One operation is 64 KiB, and what counts is the server.
const net = require('node:net');
const { clock, finish, generate, pin } = require('./load.js');

const kSize = 2 ** 30;
const kOperations = kSize / 65536;

const listener = net.createServer((socket) => {
  const stop = clock();
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  socket.on('end', () => {
    if (received !== kSize) throw new Error(`${received} bytes`);
    finish(stop(), kOperations);
  });
});
listener.listen(0, '127.0.0.1', () => {
  pin();
  generate(['send', listener.address().port, kSize]);
});
