'use strict';
// A server reports a connection before the client on the same loop reports that it is connected.

const net = require('net');

function meet(name, options) {
  return new Promise((resolve) => {
    const order = [];
    const server = net.createServer((peer) => {
      order.push('connection');
      peer.end();
    }).listen(0, () => {
      const socket = net.connect({ ...options, port: server.address().port }, () => order.push('connect'));
      socket.resume().on('close', () => {
        console.log(name, order);
        server.close(resolve);
      });
    });
  });
}

(async () => {
  await meet('by number', { host: '127.0.0.1' });
  await meet('by name', { host: 'localhost' });
  await meet('first family', { host: 'localhost', autoSelectFamily: false });
})();
