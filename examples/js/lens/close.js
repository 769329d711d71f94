const net = require('node:net');

const socket = net.connect(1, '127.0.0.1');
socket.on('close', () => console.log('closed'));
setImmediate(() => console.log('immediate'));
socket.destroy();
console.log('destroyed');
