// A port as an event target and as an emitter: order of listeners, once, off, onmessage.
const { MessageChannel } = require('node:worker_threads');
const { port1, port2 } = new MessageChannel();
const log = (name) => (value) => console.log(name, value instanceof Event ? `event ${value.data}` : value);
const removed = log('removed');
port2.on('message', log('on'));
port2.addEventListener('message', log('addEventListener'));
port2.once('message', log('once'));
port2.on('message', removed);
port2.off('message', removed);
port2.onmessage = log('onmessage');
console.log(port2.listenerCount('message'), port2.eventNames());
port1.postMessage(1);
port1.postMessage(2);
port1.on('close', () => console.log('port1 closed'));
port2.on('close', () => console.log('port2 closed'));
setImmediate(() => setImmediate(() => {
  port2.onmessage = null;
  console.log(port2.onmessage, port2.listenerCount('message'));
  port2.close(() => console.log('callback'));
}));
