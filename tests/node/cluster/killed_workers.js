// Workers that are killed while clients connect: the primary goes on, and every client has its answer in the end.
const cluster = require('node:cluster');
const net = require('node:net');
if (cluster.isPrimary) {
  let port;
  let left = 40;
  let killed = 0;
  cluster.fork();
  cluster.fork();
  cluster.on('exit', () => {
    if (left > 0) cluster.fork();
  });
  cluster.on('listening', (worker, address) => {
    if (port === undefined) {
      port = address.port;
      for (let i = 0; i < 4; i++) connect();
    }
    // One stays: the port goes with the last.
    const listening = Object.values(cluster.workers).filter((one) => one.state === 'listening');
    if (killed === 4 || listening.length < 2) return;
    killed++;
    process.kill(listening[0].process.pid, 'SIGKILL');
  });
  function connect() {
    let text = '';
    const socket = net.connect(port, '127.0.0.1');
    socket.setTimeout(1000, () => socket.destroy());
    socket.on('data', (bytes) => { text += bytes; });
    socket.on('error', () => {});
    socket.on('close', () => {
      // A worker that died had the connection: another one may have more luck.
      if (text !== 'hello' || left > 4) setTimeout(connect, 10);
      if (text === 'hello' && --left === 0) end();
    });
  }
  function end() {
    console.log('all answered');
    for (const id in cluster.workers) cluster.workers[id].kill();
  }
  process.on('exit', (code) => console.log('exit', code));
} else {
  net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
}
