// postMessageToThread()
const { Worker, postMessageToThread, threadId } = require('node:worker_threads');
process.on('workerMessage', (message, source) => console.log('main has', message, source));
const worker = new Worker(`
  const { postMessageToThread, parentPort } = require('worker_threads');
  process.on('workerMessage', async (message, source) => {
    await postMessageToThread(0, { echo: message, source });
    if (message === 'last') parentPort.close();
  });
  parentPort.on('message', () => {});
  parentPort.postMessage('ready');
`, { eval: true });
const failures = async (...args) => {
  try {
    await postMessageToThread(...args);
    console.log('delivered');
  } catch (error) {
    console.log(error.code, error.message);
  }
};
worker.once('message', async () => {
  await failures(worker.threadId, 'first');
  await failures(threadId, 'self');
  await failures(999, 'nobody');
  await failures(worker.threadId, 'x', [], -1);
  await failures(worker.threadId, 'last');
});
worker.on('exit', (code) => console.log('exit', code));
