// node:http in two workers.
const cluster = require('node:cluster');
const http = require('node:http');
if (cluster.isPrimary) {
  cluster.fork();
  cluster.fork();
  let listening = 0;
  cluster.on('listening', async (worker, { port }) => {
    if (++listening < 2) return;
    const answers = new Set();
    for (let i = 0; i < 4; i++) {
      answers.add(await new Promise((resolve) => {
        http.get({ port, host: '127.0.0.1', agent: false }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => { text += chunk; }).on('end', () => resolve(text));
        });
      }));
    }
    console.log([...answers].sort());
    cluster.disconnect(() => console.log('done'));
  });
} else {
  http.createServer((request, response) => response.end(`worker ${cluster.worker.id}`)).listen(0, '127.0.0.1');
}
