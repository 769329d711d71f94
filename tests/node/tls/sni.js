'use strict';
// Which certificate a server shows for which name.
const tls = require('tls');
const { identity, note, pair } = require('./fixtures/pair');

function attempt(server, options, servername, next) {
  const socket = tls.connect({ ...options, servername, checkServerIdentity: () => undefined }, () => {
    note('client', servername, socket.getPeerCertificate().subject.CN, socket.authorized);
  });
  socket.resume();
  socket.on('error', (error) => note('client', servername, error.code));
  socket.on('close', next);
}

const server = pair({}, (socket) => {
  note('server', socket.servername);
  socket.end();
}, (options) => {
  server.addContext('*.other.test', identity('other'));
  attempt(server, options, 'localhost', () => {
    attempt(server, options, 'a.other.test', () => {
      attempt(server, options, 'a.b.other.test', () => server.close(withCallback));
    });
  });
});

function withCallback() {
  const second = pair({
    SNICallback(name, callback) {
      note('server', 'asked for', name);
      if (name === 'bad.test') callback(new Error('not here'));
      else setImmediate(callback, null, tls.createSecureContext(identity('other')));
    },
  }, (socket) => socket.end(), (options) => {
    attempt(second, options, 'late.test', () => {
      attempt(second, options, 'bad.test', () => second.close());
    });
  });
  second.on('tlsClientError', (error) => note('server', error.message));
}
