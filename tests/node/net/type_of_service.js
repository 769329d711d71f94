'use strict';
// setTypeOfService() before and after there is a connection, and what it refuses.
const net = require('net');

const server = net.createServer((socket) => socket.end());
server.listen(0, '127.0.0.1', () => {
  const socket = new net.Socket();
  for (const value of ['1', NaN, 1.5, -1, 256, undefined]) {
    try {
      socket.setTypeOfService(value);
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
  console.log(socket.getTypeOfService(), socket.setTypeOfService(0x10) === socket, socket.getTypeOfService());
  socket.connect(server.address().port, '127.0.0.1', () => {
    console.log(socket.getTypeOfService());
    console.log(socket.setTypeOfService(0x20).getTypeOfService());
  });
  socket.resume();
  socket.on('close', () => {
    console.log(socket.getTypeOfService());
    server.close();
  });
});
