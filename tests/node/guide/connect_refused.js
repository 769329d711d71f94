// A connect() that fails is reported through the loop, never before connect() returns.
const net = require('net');
const server = net.createServer().listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(() => {
    const socket = net.connect(port, '127.0.0.1');
    let returned = false;
    socket.on('error', (e) => console.log(e.code, e.syscall, e.address, e.port === port, returned));
    socket.on('close', (hadError) => console.log('close', hadError));
    returned = true;
  });
});
// PENDING-1
