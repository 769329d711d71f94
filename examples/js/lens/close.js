const net = require('node:net');

const server = net.createServer((peer) => peer.on('error', () => {}));
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1', () => {
    socket.destroy();
    server.close();
  });
  socket.on('close', () => console.log('closed'));
});
