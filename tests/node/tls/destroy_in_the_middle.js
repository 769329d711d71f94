'use strict';
// Sockets that are destroyed in every event of a handshake.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

function attempt(title, onServer, onClient, next) {
  const server = pair({}, (socket) => {
    socket.on('error', () => {});
    onServer(socket);
  }, (options) => {
    const socket = tls.connect(options);
    socket.on('error', (error) => note('client', title, error.code));
    onClient(socket);
    socket.resume();
    socket.on('close', () => server.close(next));
  });
  server.on('tlsClientError', () => {});
}
attempt('connect', () => {}, (socket) => socket.on('connect', () => socket.destroy()), () => {
  attempt('secureConnect', (socket) => socket.resume(), (socket) => socket.on('secureConnect', () => socket.destroy()), () => {
    attempt('server', (socket) => socket.destroy(), () => {}, () => {
      attempt('write', (socket) => socket.resume(), (socket) => socket.on('secureConnect', () => {
        socket.write('x', (error) => note('client', 'written', error?.code));
        socket.destroy();
      }), () => note('client', 'end'));
    });
  });
});
