'use strict';
// setKeepAlive() with numbers and with an object: what the handle is asked for.
const net = require('net');

const server = net.createServer((socket) => socket.end());
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    socket._handle.setKeepAlive = (...args) => console.log(args);
    socket.setKeepAlive(true, 5000);
    socket.setKeepAlive(true, 5000);
    socket.setKeepAlive(true, 5000, 2000, 4);
    socket.setKeepAlive({ enable: true, initialDelay: 5000, interval: 3000, count: 2 });
    socket.setKeepAlive({ enable: true });
    socket.setKeepAlive(false);
    socket.setKeepAlive(false, 1000);
    console.log(socket.setKeepAlive() === socket);
  });
  socket.resume();
  socket.on('close', () => server.close());
});
