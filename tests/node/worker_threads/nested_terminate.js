// A Worker that is terminated takes its own Workers with it.
const { Worker } = require('node:worker_threads');
const inner = 'const { parentPort } = require("node:worker_threads"); parentPort.postMessage("inner"); setInterval(() => {}, 1000);';
const worker = new Worker(`
  const { Worker, parentPort } = require('node:worker_threads');
  const inner = new Worker(${JSON.stringify(inner)}, { eval: true });
  inner.on('message', (message) => parentPort.postMessage(message));
`, { eval: true });
worker.on('message', async (message) => {
  console.log(message);
  console.log('code', await worker.terminate());
  console.log('again', await worker.terminate());
});
worker.on('exit', (code) => console.log('exit', code));
