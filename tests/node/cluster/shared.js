// SCHED_NONE: the workers accept themselves.
const cluster = require('node:cluster');
const net = require('node:net');
cluster.schedulingPolicy = cluster.SCHED_NONE;
if (cluster.isPrimary) {
  const worker = cluster.fork();
  worker.on('listening', ({ port }) => {
    const client = net.connect(port, '127.0.0.1');
    client.setEncoding('utf8');
    client.on('data', (text) => console.log('client has', text));
    client.on('close', () => worker.disconnect());
  });
  worker.on('exit', (code) => console.log('exit', code, worker.exitedAfterDisconnect));
} else {
  net.createServer((socket) => socket.end(`hello from ${cluster.worker.id}`)).listen(0, '127.0.0.1');
}
