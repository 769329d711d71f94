// Nobody listens any more: the error arrives by an event, never from connect() itself. 'close' follows.
const net = require('node:net');

const server = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(() => {
    const socket = net.connect(port, '127.0.0.1');
    socket.on('error', ({ code, syscall }) => console.log(`${syscall}: ${code}`));
    socket.on('close', (hadError) => console.log(`close, after an error: ${hadError}`));
    console.log('connect() has returned');
  });
});
