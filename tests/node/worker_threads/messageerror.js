// A message that cannot be read.
const { Worker, MessageChannel } = require('node:worker_threads');
const worker = new Worker(`
  const { parentPort } = require('worker_threads');
  parentPort.on('message', (m) => parentPort.postMessage(m));
  parentPort.once('message', () => setImmediate(() => parentPort.close()));
`, { eval: true });
for (const value of [() => {}, Symbol('x'), { deep: { fn() {} } }, new WeakMap()]) {
  try {
    worker.postMessage(value);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
const { port1 } = new MessageChannel();
try {
  worker.postMessage(port1);
} catch (error) {
  console.log(error.name, error.message);
}
port1.close();
worker.on('message', (message) => console.log(message));
worker.postMessage(new Error('cloned'));
worker.on('exit', (code) => console.log('exit', code));
