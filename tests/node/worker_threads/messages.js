// Messages in both directions, and their order.
const { Worker, isMainThread, parentPort, workerData, threadId } = require('node:worker_threads');
if (isMainThread) {
  const worker = new Worker(__filename, { workerData: { list: [1, 2], map: new Map([['a', 1]]) } });
  const log = [];
  worker.on('online', () => log.push('online'));
  worker.on('message', (message) => {
    log.push(message);
    if (message === 'ready') for (let i = 0; i < 5; i++) worker.postMessage(i);
    if (message === 'done') worker.postMessage('close');
  });
  worker.on('exit', (code) => {
    console.log(log);
    console.log('exit', code, worker.threadId, worker.threadName);
  });
} else {
  parentPort.postMessage({ workerData, isMainThread, threadId });
  parentPort.postMessage('ready');
  parentPort.on('message', (message) => {
    if (message === 'close') return parentPort.close();
    parentPort.postMessage(message * 2);
    if (message === 4) parentPort.postMessage('done');
  });
}
