'use strict';
// The event 'keylog' of clients and servers.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

const words = (side) => (line) => note(side, String(line).split(' ')[0], String(line).endsWith('\n'));
const server = pair({}, (socket) => socket.end(), (options) => {
  const socket = tls.connect(options);
  socket.on('keylog', words('client'));
  socket.resume();
  socket.on('close', () => server.close());
});
server.on('keylog', words('server'));
