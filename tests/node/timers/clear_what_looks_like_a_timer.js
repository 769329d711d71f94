// Objects with a function _onTimeout that are no timers: sockets are such.
const net = require('net');
const object = { _onTimeout() {} };
clearTimeout(object);
console.log(object);
const marked = { _onTimeout() {}, _destroyed: true, _idleTimeout: 5 };
clearInterval(marked);
console.log(marked);
const socket = new net.Socket();
clearTimeout(socket);
console.log(socket._onTimeout, socket._idleTimeout);
const timer = setTimeout(() => console.log('not to be seen'), 1);
clearTimeout(Object.create(timer));
try {
  clearTimeout(Object.freeze({ _onTimeout() {} }));
} catch (error) {
  console.log(error.name);
}
setTimeout(() => console.log('end'), 5);
