'use strict';
// The events of a socket that connects.
const net = require('net');

const answer = (...addresses) => (host, options, callback) => {
  const found = addresses.map((address) => ({ address, family: 4 }));
  if (options.all) process.nextTick(callback, null, found);
  else process.nextTick(callback, null, addresses[0], 4);
};

function connect(name, options) {
  return new Promise((resolve) => {
    const socket = net.connect(options);
    const words = (value) => {
      if (value?.code !== undefined) return `${value.code} "${value.message}"`;
      return value === options.port && value > 1 ? 'PORT' : value;
    };
    for (const event of ['lookup', 'connectionAttempt', 'connectionAttemptFailed', 'connect', 'ready', 'error', 'close']) {
      socket.on(event, (...args) => console.log(name, event, ...args.map(words)));
    }
    socket.on('close', resolve).resume();
  });
}

const server = net.createServer((socket) => socket.end()).listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  await connect('address', { port, host: '127.0.0.1' });
  await connect('name', { port, host: 'x', family: 4, lookup: answer('127.0.0.1') });
  server.close();
  await connect('one of many', { port: 1, host: 'x', lookup: answer('127.0.0.1') });
  await connect('many', { port: 1, host: 'x', lookup: answer('127.0.0.1', '127.0.0.2') });
  await connect('path', { path: '/nonexistent/socket' });
});
