'use strict';
// A net.BoundSocket handed over to another thread; those of paths, adopted ones and closed ones are refused.
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');
const { MessageChannel, Worker, isMainThread, receiveMessageOnPort, workerData } = require('node:worker_threads');

function attempt(name, run) {
  try {
    console.log(name, run());
  } catch ({ name: error, code, message }) {
    console.log(name, error, code, message);
  }
}

if (isMainThread) {
  const { port1, port2 } = new MessageChannel();
  const bound = new net.BoundSocket({ host: '127.0.0.1' });
  const { port } = bound.address();
  attempt('not listed', () => port1.postMessage(bound));
  attempt('cloned', () => structuredClone(bound));
  const copy = structuredClone({ deep: [bound] }, { transfer: [bound] }).deep[0];
  console.log(copy instanceof net.BoundSocket, copy.isPipe, copy.fd() > 2, copy.address().port === port);
  attempt('address', () => bound.address());
  attempt('close', () => bound.close());
  attempt('dispose', () => bound[Symbol.dispose]());
  attempt('again', () => port1.postMessage(bound, [bound]));

  const file = path.join(os.tmpdir(), `bound-${process.pid}`);
  const pipe = new net.BoundSocket({ path: file });
  attempt('path', () => port1.postMessage(pipe, [pipe]));
  pipe.close();
  require('node:fs').rmSync(file, { force: true });

  const lost = new net.BoundSocket({ host: '127.0.0.1' });
  port1.postMessage(lost, [lost]);
  console.log(receiveMessageOnPort(port2).message.address().address);

  const worker = new Worker(__filename, { workerData: copy, transferList: [copy] });
  worker.on('message', () => {
    const client = net.connect(port, '127.0.0.1');
    client.on('data', (data) => console.log(String(data)));
    client.on('close', () => console.log('close'));
  });
} else {
  const server = net.createServer((socket) => {
    socket.end('served by a worker');
    server.close();
  });
  server.listen(workerData, () => {
    attempt('adopted', () => structuredClone(workerData, { transfer: [workerData] }));
    require('node:worker_threads').parentPort.postMessage('listening');
  });
}
