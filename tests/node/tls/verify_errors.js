'use strict';
// What a client says about certificates that it cannot trust.
const tls = require('tls');
const { identity, note, pair } = require('./fixtures/pair');

function attempt(title, serverOptions, clientOptions, next) {
  const server = pair(serverOptions, (socket) => socket.end(), (options) => {
    const socket = tls.connect({ ...options, ...clientOptions }, () => {
      note('client', title, 'secureConnect', socket.authorized, socket.authorizationError);
    });
    socket.resume();
    socket.on('error', (error) => note('client', title, error.code, '|', error.message));
    socket.on('close', () => server.close(next));
  });
  server.on('tlsClientError', () => {});
}

attempt('own authority', {}, {}, () => {
  attempt('no authority', {}, { ca: undefined }, () => {
    attempt('self-signed', identity('self'), { ca: undefined }, () => {
      attempt('other name', {}, { servername: 'nowhere.test' }, () => {
        attempt('wildcard', {}, { servername: 'a.example.test' }, () => {
          attempt('two labels', {}, { servername: 'a.b.example.test' }, () => {
            attempt('not rejected', {}, { ca: undefined, rejectUnauthorized: false }, () => {
              attempt('own check', {}, { checkServerIdentity: () => new Error('not this one') }, () => {});
            });
          });
        });
      });
    });
  });
});
