'use strict';
// What was written at once and fits into one read arrives in one piece.
const net = require('node:net');

const kBurst = 40_000;
const server = net.createServer((socket) => {
  const sizes = [];
  socket.on('data', (data) => {
    sizes.push(data.length);
    socket.write('x');
  });
  socket.on('end', () => {
    console.log(sizes.join(' '));
    socket.end();
    server.close();
  });
});

server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  let left = 6;
  const next = () => (left-- === 0 ? socket.end() : socket.write(Buffer.alloc(kBurst)));
  socket.on('connect', next);
  socket.on('data', next);
});
