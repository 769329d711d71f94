// Workers in Workers.
const { Worker, isMainThread, parentPort, workerData } = require('node:worker_threads');
const depth = isMainThread ? 0 : workerData;
if (depth < 3) {
  const worker = new Worker(__filename, { workerData: depth + 1 });
  worker.on('message', (message) => {
    const text = `${depth} <- ${message}`;
    if (isMainThread) console.log(text);
    else parentPort.postMessage(text);
  });
  worker.on('exit', (code) => { if (isMainThread) console.log('exit', code); });
} else {
  parentPort.postMessage('3');
}
