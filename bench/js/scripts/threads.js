'use strict';
// Arguments: what to do, and how often. Workers and messages; run with 'echo' it is the other thread.
const { BroadcastChannel, Worker, parentPort, workerData } = require('node:worker_threads');
const { begin } = require('./measure.js');

if (workerData === 'echo') {
  parentPort.on('message', (message) => parentPort.postMessage(message));
} else if (workerData === 'broadcast') {
  const channel = new BroadcastChannel('bench');
  channel.onmessage = ({ data }) => channel.postMessage(data);
  parentPort.postMessage('ready');
}

function ended(worker) {
  return new Promise((resolve) => worker.on('exit', resolve));
}

const works = {
  async start(n) {
    await ended(new Worker('', { eval: true }));
    const end = begin(n);
    for (let i = 0; i < n; i++) await ended(new Worker('', { eval: true }));
    end();
  },
  postMessage(n) {
    const worker = new Worker(__filename, { workerData: 'echo' });
    roundTrips(n, (listener) => worker.on('message', listener), (value) => worker.postMessage(value),
      () => worker.terminate());
  },
  broadcast(n) {
    const worker = new Worker(__filename, { workerData: 'broadcast' });
    worker.on('message', () => {
      const channel = new BroadcastChannel('bench');
      roundTrips(n, (listener) => { channel.onmessage = listener; }, (value) => channel.postMessage(value), () => {
        channel.close();
        worker.terminate();
      });
    });
  },
  clone(n) {
    const value = { id: 1, name: 'hello', list: [1, 2, 3, 4], nested: { a: 'x', b: true, c: null }, date: new Date(0) };
    for (let i = 0; i < n / 10; i++) structuredClone(value);
    const end = begin(n);
    for (let i = 0; i < n; i++) structuredClone(value);
    end();
  },
};

function roundTrips(n, listen, send, close) {
  const warmUp = n / 10;
  let count = 0;
  let end;
  listen(() => {
    if (count === warmUp) end = begin(n);
    if (count++ < n + warmUp) {
      send(count);
    } else {
      end();
      close();
    }
  });
  send(0);
}

if (workerData === null) works[process.argv[2]](Number(process.argv[3]));
