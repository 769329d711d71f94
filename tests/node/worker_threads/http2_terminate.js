// Workers that end in the middle of HTTP/2 in memory: by terminate(), and by process.exit() in a listener.
const { once } = require('node:events');
const http2 = require('node:http2');
const { duplexPair } = require('node:stream');
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');

function connect(listener) {
  const server = http2.createServer();
  server.on('stream', listener);
  const [clientSide, serverSide] = duplexPair();
  server.emit('connection', serverSide);
  return http2.connect('http://localhost:80', { createConnection: () => clientSide });
}

async function main() {
  for (const how of ['terminate', 'exit']) {
    const codes = await Promise.all(Array.from({ length: 6 }, async () => {
      const worker = new Worker(__filename, { workerData: how });
      worker.on('message', () => worker.terminate());
      const [code] = await once(worker, 'exit');
      return code;
    }));
    console.log(how, codes);
  }
}

if (isMainThread) {
  main();
} else if (workerData === 'terminate') {
  let count = 0;
  const client = connect((stream) => {
    if (++count === 2) parentPort.postMessage('go');
    stream.end();
  });
  (function ask() {
    for (let i = 0; i < 3; i++) client.request().end();
    setImmediate(ask);
  })();
} else {
  const client = connect((stream) => stream.respondWithFile(process.execPath));
  client.request().on('data', () => process.exit(3)).end();
}
