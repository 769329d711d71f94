// rondo-test: scratch
// server.address() of a path in a worker, and errors of servers that the primary could not bind.
const cluster = require('node:cluster');
const net = require('node:net');
if (cluster.isPrimary) {
  cluster.fork();
} else {
  const server = net.createServer();
  server.listen('socket', () => {
    console.log(server.address());
    server.close(() => {
      console.log(server.address(), server.listening);
      const refused = net.createServer();
      refused.on('error', ({ code, syscall, address, message }) => {
        console.log(code, syscall, address, message);
        cluster.worker.disconnect();
      });
      refused.listen({ port: 1, host: '203.0.113.1' });
    });
  });
}
