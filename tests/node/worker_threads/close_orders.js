// What is sent before close() arrives, what is sent after does not; both ends hear of it.
const { MessageChannel } = require('node:worker_threads');
const { port1, port2 } = new MessageChannel();
for (const [name, port] of Object.entries({ port1, port2 })) {
  port.on('message', (message) => console.log(name, message));
  port.on('close', () => console.log(name, 'closed'));
}
port1.postMessage('a');
port2.postMessage('b');
port1.close();
port1.postMessage('too late');
port2.postMessage('c');
process.nextTick(() => console.log('tick'));
setImmediate(() => console.log('immediate'));
process.on('exit', () => console.log('exit'));
