// Two workers share a port; one that wants it exclusively gets EADDRINUSE.
const cluster = require('node:cluster');
const net = require('node:net');
if (cluster.isPrimary) {
  const taken = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = taken.address();
    const worker = cluster.fork({ PORT: port });
    worker.on('message', (message) => console.log(message));
    worker.on('exit', (code) => {
      console.log('exit', code);
      taken.close();
    });
  });
} else {
  const server = net.createServer();
  server.on('error', ({ code, syscall }) => {
    process.send([code, syscall]);
    const own = net.createServer().listen({ port: Number(process.env.PORT), host: '127.0.0.1', exclusive: true });
    own.on('error', (error) => {
      process.send([error.code, error.syscall]);
      process.disconnect();
    });
  });
  server.listen(Number(process.env.PORT), '127.0.0.1');
}
