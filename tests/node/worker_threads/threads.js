// postMessageToThread(): to a Worker, back to the main thread, between two Workers, and where there is no listener.
const { Worker, postMessageToThread, threadId } = require('node:worker_threads');
const source = `
  const { postMessageToThread, parentPort } = require('node:worker_threads');
  process.on('workerMessage', async (message, source) => {
    if (message.forward) await postMessageToThread(message.forward, { text: message.text });
    else await postMessageToThread(0, { echo: message.text, source });
  });
  parentPort.on('message', () => process.exit());
  parentPort.postMessage('ready');
`;
async function attempt(...args) {
  try {
    await postMessageToThread(...args);
    console.log('delivered');
  } catch (error) {
    console.log(error.code, error.message);
  }
}
function start() {
  const worker = new Worker(source, { eval: true });
  return new Promise((resolve) => worker.once('message', () => resolve(worker)));
}
function nextMessage() {
  return new Promise((resolve) => process.once('workerMessage', (...args) => resolve(args)));
}
(async () => {
  const [first, second] = [await start(), await start()];
  await attempt(threadId, 'self');
  await attempt(999, 'nobody');
  await attempt(first.threadId, 'x', [], -1);
  let answer = nextMessage();
  await postMessageToThread(first.threadId, { text: 'one' });
  console.log(await answer);
  answer = nextMessage();
  await postMessageToThread(first.threadId, { forward: second.threadId, text: 'two' });
  console.log(await answer);
  for (const worker of [first, second]) {
    worker.postMessage('end');
    await new Promise((resolve) => worker.once('exit', resolve));
  }
  await attempt(1, 'gone');
})();
