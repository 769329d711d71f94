// receiveMessageOnPort() and Atomics.wait(): a call to another thread that looks synchronous.
const { Worker, MessageChannel, receiveMessageOnPort } = require('node:worker_threads');
const { port1, port2 } = new MessageChannel();
const flag = new Int32Array(new SharedArrayBuffer(4));
new Worker(`
  const { workerData: { port, flag } } = require('worker_threads');
  port.postMessage({ answer: 42 });
  port.postMessage('second');
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
`, { eval: true, workerData: { port: port2, flag }, transferList: [port2] });
Atomics.wait(flag, 0, 0);
console.log(receiveMessageOnPort(port1), receiveMessageOnPort(port1), receiveMessageOnPort(port1));
