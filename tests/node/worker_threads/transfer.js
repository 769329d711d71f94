// What is transferred, and what is shared.
const { Worker, isMainThread, parentPort, MessageChannel, workerData } = require('node:worker_threads');
const next = (port) => new Promise((resolve) => port.once('message', resolve));
if (isMainThread) {
  (async () => {
    const { port1, port2 } = new MessageChannel();
    const bytes = new Uint8Array([1, 2, 3]);
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(__filename, { workerData: { port: port2, shared }, transferList: [port2] });
    worker.postMessage({ bytes }, [bytes.buffer]);
    console.log(bytes.byteLength);
    console.log('back', (await next(worker)).bytes);
    const closed = new Promise((resolve) => port1.once('close', resolve));
    port1.postMessage('now you');
    console.log('through the port', await next(port1), shared[0], shared[1]);
    port1.postMessage('over');
    await closed;
    console.log('port closed');
    worker.postMessage('end');
    worker.on('exit', (code) => console.log('exit', code));
  })();
} else {
  (async () => {
    const { port, shared } = workerData;
    const { bytes } = await next(parentPort);
    bytes[0] = 9;
    shared[0] = 42;
    Atomics.add(shared, 1, 7);
    parentPort.postMessage({ bytes }, [bytes.buffer]);
    await next(port);
    port.postMessage(bytes.byteLength);
    await next(port);
    port.close();
    await next(parentPort);
  })();
}
