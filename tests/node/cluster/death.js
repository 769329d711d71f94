// A worker dies, and another takes its place.
const cluster = require('node:cluster');
if (cluster.isPrimary) {
  let restarts = 0;
  cluster.on('exit', (worker, code, signal) => {
    console.log('exit', worker.id, code, signal, worker.exitedAfterDisconnect, worker.isDead());
    if (++restarts < 3) cluster.fork({ WAY: restarts === 1 ? 'throw' : 'code' });
  });
  const first = cluster.fork({ WAY: 'wait' });
  first.on('online', () => first.kill('SIGKILL'));
} else if (process.env.WAY === 'throw') {
  process.on('uncaughtException', () => process.exit(9));
  throw new Error('x');
} else if (process.env.WAY === 'code') {
  process.exit(5);
} else {
  setInterval(() => {}, 1000);
}
