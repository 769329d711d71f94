// What cannot be transferred, and that nothing is lost then.
const { MessageChannel, markAsUntransferable, isMarkedAsUntransferable } = require('node:worker_threads');
const { port1, port2 } = new MessageChannel();
const attempt = (name, ...args) => {
  try {
    port1.postMessage(...args);
    console.log(name, 'sent');
  } catch (error) {
    console.log(name, error.name, error.code, error.message);
  }
};
const buffer = new ArrayBuffer(8);
attempt('twice', buffer, [buffer, buffer]);
console.log(buffer.byteLength);
attempt('source port', null, [port1]);
attempt('number', null, [5]);
attempt('no list', null, 5);
attempt('object', {}, {});
attempt('function', () => {});
attempt('port that is not listed', new MessageChannel().port1);
attempt('shared', null, [new SharedArrayBuffer(4)]);
const marked = new ArrayBuffer(4);
markAsUntransferable(marked);
console.log(isMarkedAsUntransferable(marked), isMarkedAsUntransferable(buffer));
attempt('marked', marked, [marked]);
attempt('moved', buffer, [buffer]);
console.log(buffer.byteLength, buffer.detached);
attempt('moved again', buffer, [buffer]);
const other = new MessageChannel();
attempt('port', other.port1, [other.port1]);
attempt('port again', other.port1, [other.port1]);
port2.close();
