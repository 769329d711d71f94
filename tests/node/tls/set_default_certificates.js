'use strict';
// The certificates that are trusted can be replaced.
const tls = require('tls');
const { ca, note, pair } = require('./fixtures/pair');

tls.setDefaultCACertificates([ca]);
note('client', tls.getCACertificates().length, tls.getCACertificates()[0] === String(ca));
try {
  tls.setDefaultCACertificates(['x']);
} catch (error) {
  note('client', error.code, error.message);
}
try {
  tls.setDefaultCACertificates('x');
} catch (error) {
  note('client', error.code, error.message);
}
const server = pair({}, (socket) => socket.end(), (options) => {
  const socket = tls.connect({ ...options, ca: undefined }, () => note('client', socket.authorized));
  socket.resume();
  socket.on('close', () => server.close());
});
