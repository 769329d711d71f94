// What is transferred, and what is shared.
const { Worker, isMainThread, parentPort, MessageChannel, workerData } = require('node:worker_threads');
if (isMainThread) {
  const { port1, port2 } = new MessageChannel();
  const bytes = new Uint8Array([1, 2, 3]);
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(__filename, { workerData: { port: port2, shared }, transferList: [port2] });
  worker.postMessage({ bytes }, [bytes.buffer]);
  console.log(bytes.byteLength);
  port1.on('message', (message) => {
    console.log('through the port', message, shared[0], shared[1]);
    port1.postMessage('over');
  });
  port1.on('close', () => console.log('port closed'));
  worker.on('message', ({ bytes: back }) => console.log('back', back));
  worker.on('exit', (code) => console.log('exit', code));
  worker.on('error', console.log);
} else {
  parentPort.once('message', ({ bytes }) => {
    bytes[0] = 9;
    workerData.shared[0] = 42;
    Atomics.add(workerData.shared, 1, 7);
    parentPort.postMessage({ bytes }, [bytes.buffer]);
    workerData.port.postMessage(bytes.byteLength);
    workerData.port.once('message', () => workerData.port.close());
  });
}
