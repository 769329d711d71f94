// Workers, their events, and round robin.
const cluster = require('node:cluster');
const net = require('node:net');
if (cluster.isPrimary) {
  console.log(cluster.isMaster, cluster.isWorker, cluster.worker, cluster.schedulingPolicy === cluster.SCHED_RR);
  const events = [];
  cluster.setupPrimary({ args: ['x'] });
  cluster.on('setup', (settings) => events.push(`setup ${settings.args} ${settings.silent}`));
  cluster.on('fork', (worker) => events.push(`fork ${worker.id}`));
  cluster.on('online', (worker) => events.push(`online ${worker.id} ${worker.state}`));
  const worker = cluster.fork({ FROM_PRIMARY: 'yes' });
  console.log(worker.id, worker.isDead(), worker.isConnected(), Object.keys(cluster.workers));
  cluster.on('message', (from, message) => console.log('message', from.id, message));
  cluster.on('listening', (from, { addressType, address, port }) => {
    console.log('listening', from.id, addressType, address, port > 0);
    const client = net.connect(port, '127.0.0.1');
    client.setEncoding('utf8');
    client.on('data', (text) => console.log('client has', text));
    client.on('close', () => worker.disconnect());
  });
  cluster.on('disconnect', ({ id, exitedAfterDisconnect }) => console.log('disconnect', id, exitedAfterDisconnect));
  cluster.on('exit', ({ id, exitedAfterDisconnect }, code, signal) => {
    console.log(events);
    console.log('exit', id, exitedAfterDisconnect, code, signal, Object.keys(cluster.workers));
  });
} else {
  process.send([process.env.FROM_PRIMARY, process.argv.slice(2), 'NODE_UNIQUE_ID' in process.env, cluster.worker.id]);
  net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
}
