// BroadcastChannel across threads.
const { Worker } = require('node:worker_threads');
const channel = new BroadcastChannel('news');
const source = `
  const channel = new BroadcastChannel('news');
  channel.onmessage = ({ data }) => { if (data === 'end') channel.close(); else channel.postMessage('got ' + data); };
  require('worker_threads').parentPort.postMessage('ready');
`;
const workers = [new Worker(source, { eval: true }), new Worker(source, { eval: true })];
let ready = 0;
const heard = [];
for (const worker of workers) worker.on('message', () => { if (++ready === 2) channel.postMessage('hello'); });
channel.onmessage = ({ data }) => {
  heard.push(data);
  // Each worker hears of the other as well.
  if (heard.filter((text) => text === 'got hello').length === 2 && !heard.ended) {
    heard.ended = true;
    channel.postMessage('end');
    channel.close();
    console.log(heard.filter((text) => text === 'got hello'));
  }
};
Promise.all(workers.map((worker) => new Promise((resolve) => worker.on('exit', resolve)))).then((codes) => console.log(codes));
