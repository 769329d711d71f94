// rondo-test: scratch
// A local socket, and worker.destroy() in the worker.
const cluster = require('node:cluster');
const net = require('node:net');
if (cluster.isPrimary) {
  const worker = cluster.fork();
  worker.on('listening', ({ address, addressType, port }) => {
    console.log(require('node:path').basename(address), addressType, port);
    const client = net.connect('socket');
    client.setEncoding('utf8');
    client.on('data', (text) => console.log(text));
    client.on('close', () => worker.send('destroy'));
  });
  worker.on('exit', (code, signal) => console.log('exit', code, signal, worker.exitedAfterDisconnect));
} else {
  net.createServer((socket) => socket.end('through a path')).listen('socket');
  process.on('message', () => cluster.worker.destroy());
}
