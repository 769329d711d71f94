'use strict';
// Protocols by list, by callback, and nothing in common.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

function attempt(title, serverOptions, ALPNProtocols, next) {
  const server = pair(serverOptions, (socket) => {
    note('server', title, socket.alpnProtocol);
    socket.end();
  }, (options) => {
    const socket = tls.connect({ ...options, ALPNProtocols }, () => note('client', title, socket.alpnProtocol));
    socket.resume();
    socket.on('error', (error) => note('client', title, error.code));
    socket.on('close', () => server.close(next));
  });
  server.on('tlsClientError', (error) => note('server', title, error.code));
}

attempt('list', { ALPNProtocols: ['h2', 'http/1.1'] }, ['http/1.1', 'h2'], () => {
  attempt('none offered', { ALPNProtocols: ['h2'] }, undefined, () => {
    attempt('none wanted', {}, ['h2'], () => {
      attempt('nothing in common', { ALPNProtocols: ['a'] }, ['b'], () => {
        const ALPNCallback = ({ servername, protocols }) => {
          note('server', 'asked', servername, protocols);
          return protocols[1];
        };
        attempt('callback', { ALPNCallback }, ['x', 'y'], () => {
          attempt('refused', { ALPNCallback: () => undefined }, ['x', 'y'], () => {});
        });
      });
    });
  });
});
