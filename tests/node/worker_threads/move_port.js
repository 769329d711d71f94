'use strict';
// A port in another context of node:vm: what arrives, and what is thrown there, belongs to that context.
const vm = require('vm');
const { MessageChannel, MessagePort, moveMessagePortToContext, receiveMessageOnPort } = require('worker_threads');

function thrown(callback) {
  try {
    callback();
  } catch (error) {
    return `${error.name} ${error.code} ${error.message} ${error instanceof Error}`;
  }
  return 'nothing';
}

const context = vm.createContext({ log: console.log });
const { port1, port2 } = new MessageChannel();
const closed = new MessageChannel().port1;
closed.close();
console.log(thrown(() => moveMessagePortToContext()));
console.log(thrown(() => moveMessagePortToContext(port1, {})));
console.log(thrown(() => moveMessagePortToContext(closed, context)));

const moved = context.moved = moveMessagePortToContext(port1, context);
console.log(moved instanceof MessagePort, moved.constructor.name, moved.hasRef(), Object.getOwnPropertyNames(moved));
console.log(vm.runInContext('moved.constructor instanceof Function && moved.postMessage instanceof Function', context));
for (const source of ['moved.postMessage()', 'moved.postMessage(1, 1)', 'moved.postMessage(1, [1])', 'moved.postMessage(() => {})',
  'new moved.constructor()']) {
  console.log(source, vm.runInContext(`
    try {
      ${source};
    } catch (error) {
      [error.name, error.code, error.message, error instanceof Error, error.constructor.name].join();
    }`, context));
}

port2.postMessage({ list: [1] });
const { message } = receiveMessageOnPort(moved);
console.log(message, message instanceof Object, vm.runInContext('Array', context) === message.list.constructor);

vm.runInContext(`
  moved.onmessage = function(event) {
    log(event.type, event.data, event.target === moved, this === moved, Object.keys(event), event.constructor.name);
    log(event.data instanceof Object, event.ports instanceof Array, event.ports.length);
    const [port] = event.ports;
    if (port === undefined) return;
    log(port === event.data.port, port.constructor === moved.constructor);
    port.postMessage('from the port that came along');
    port.close();
    moved.postMessage(['the last']);
  };
  moved.onmessageerror = ({ type, data }) => log(type, data.code, data.message, data instanceof Error);
  moved.start();
`, context);
port2.on('message', (data) => {
  console.log(data, data instanceof Array);
  port2.close();
});
port2.postMessage({ plain: true });
port2.postMessage(new DOMException('of a class of the main context'));
port2.postMessage(new Uint8Array(2));
port2.on('close', () => setImmediate(() => console.log('closed', moved.hasRef())));
const along = new MessageChannel();
along.port2.on('message', (data) => setImmediate(console.log, data));
port2.postMessage({ port: along.port1 }, [along.port1]);
