// A port goes from hand to hand, with what waits at it.
const { MessageChannel, Worker } = require('node:worker_threads');
const { port1, port2 } = new MessageChannel();
port1.postMessage('one');
port1.postMessage('two');
const source = `
const { parentPort } = require('node:worker_threads');
parentPort.once('message', ({ port, left }) => {
  if (left > 0) return parentPort.postMessage({ port, left: left - 1 }, [port]);
  port.on('message', (message) => {
    port.postMessage('got ' + message);
    if (message === 'three') port.close();
  });
});`;
let hops = 0;
function pass(port, left) {
  const worker = new Worker(source, { eval: true });
  worker.postMessage({ port, left }, [port]);
  worker.on('message', (message) => {
    hops++;
    pass(message.port, message.left - 1);
  });
}
pass(port2, 3);
port1.on('message', (message) => {
  console.log(message);
  if (message === 'got two') port1.postMessage('three');
});
port1.on('close', () => console.log('closed after', hops, 'hops'));
