// Connections go to the workers in turn.
const cluster = require('node:cluster');
const net = require('node:net');
if (cluster.isPrimary) {
  let listening = 0;
  for (let i = 0; i < 3; i++) cluster.fork();
  cluster.on('listening', async (worker, { port }) => {
    if (++listening < 3) return;
    const answers = {};
    for (let i = 0; i < 9; i++) {
      const id = await new Promise((resolve) => {
        const client = net.connect(port, '127.0.0.1');
        client.setEncoding('utf8');
        client.on('data', resolve);
      });
      answers[id] = (answers[id] ?? 0) + 1;
    }
    console.log(answers);
    cluster.disconnect(() => console.log('all are gone'));
  });
} else {
  net.createServer((socket) => socket.end(`${cluster.worker.id}`)).listen(0, '127.0.0.1');
}
