// Servers with reusePort have sockets of their own on one port.
const cluster = require('node:cluster');
const net = require('node:net');
if (cluster.isPrimary) {
  const first = net.createServer().listen({ port: 0, host: '127.0.0.1', reusePort: true }, () => {
    const { port } = first.address();
    first.close();
    const workers = [cluster.fork({ PORT: port }), cluster.fork({ PORT: port })];
    let ready = 0;
    for (const worker of workers) {
      worker.on('message', (message) => {
        console.log(message);
        if (++ready === 2) for (const one of workers) one.disconnect();
      });
      worker.on('exit', (code) => console.log('exit', code));
    }
    cluster.on('listening', () => console.log('not told'));
  });
} else {
  const server = net.createServer().listen({ port: Number(process.env.PORT), host: '127.0.0.1', reusePort: true }, () => {
    process.send(server.address().port === Number(process.env.PORT));
    cluster.worker.on('disconnect', () => server.close());
  });
}
