// rondo-test: env=NODE_TLS_REJECT_UNAUTHORIZED=0
'use strict';
// The variable switches verification off, which is worth a warning.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

const server = pair({}, (socket) => socket.end(), (options) => {
  const socket = tls.connect({ ...options, ca: undefined }, () => {
    note('client', socket.authorized, socket.authorizationError);
  });
  socket.resume();
  socket.on('close', () => server.close());
});
