// Many Workers at the same time.
const { Worker } = require('node:worker_threads');
const source = `
  const { parentPort, workerData } = require('worker_threads');
  let sum = 0;
  for (let i = 0; i < 1000; i++) sum += i * workerData;
  parentPort.postMessage(sum);
`;
const run = (workerData) => new Promise((resolve, reject) => {
  const worker = new Worker(source, { eval: true, workerData });
  let result;
  worker.on('message', (sum) => { result = sum; });
  worker.on('error', reject);
  worker.on('exit', (code) => resolve([code, result]));
});
Promise.all(Array.from({ length: 12 }, (_, i) => run(i))).then((results) => console.log(results.map(String)));
