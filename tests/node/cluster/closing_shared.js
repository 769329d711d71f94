// Workers that share a socket, and one that stops listening: the others get every connection.
const cluster = require('node:cluster');
const net = require('node:net');
if (cluster.isPrimary) {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const workers = [cluster.fork(), cluster.fork()];
  let listening = 0;
  cluster.on('listening', (worker, { port }) => {
    if (++listening < 2) return;
    workers[0].send('close');
    workers[0].on('message', () => connect(port));
  });
  let left = 20;
  function connect(port) {
    let text = '';
    net.connect(port, '127.0.0.1')
      .on('data', (bytes) => { text += bytes; })
      .on('close', () => {
        if (text !== 'hello from 2') console.log('lost', text);
        if (--left > 0) return connect(port);
        console.log('all answered');
        for (const worker of workers) worker.disconnect();
      });
  }
} else {
  const server = net.createServer((socket) => socket.end(`hello from ${cluster.worker.id}`));
  server.listen(0, '127.0.0.1');
  process.on('message', () => server.close(() => process.send('closed')));
}
