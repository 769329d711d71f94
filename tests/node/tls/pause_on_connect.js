'use strict';
// pauseOnConnect of a server holds for its TLS sockets: the handshake is done, data waits.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

const server = pair({ pauseOnConnect: true, allowHalfOpen: true }, (socket) => {
  note('server', socket.isPaused(), socket.allowHalfOpen);
  socket.on('data', (data) => note('server', data));
  socket.on('end', () => socket.end());
  setImmediate(() => {
    note('server', 'resume');
    socket.resume();
  });
}, (options) => {
  const socket = tls.connect(options, () => socket.end('hello'));
  socket.resume();
  socket.on('close', () => server.close());
});
