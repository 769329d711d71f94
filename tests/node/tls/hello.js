'use strict';
// One message each way, the events of both sides.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

const server = pair({}, (socket) => {
  note('server', 'secureConnection', socket.encrypted, socket.authorized, socket.getProtocol(), socket.servername);
  socket.setEncoding('utf8');
  socket.on('data', (text) => {
    note('server', 'data', text);
    socket.end(`got ${text}`);
  });
  socket.on('end', () => note('server', 'end'));
  socket.on('close', (hadError) => note('server', 'close', hadError));
}, (options) => {
  const socket = tls.connect(options, () => {
    note('client', 'secureConnect', socket.authorized, socket.authorizationError, socket.isSessionReused());
    socket.write('hello', () => note('client', 'written'));
  });
  socket.on('connect', () => note('client', 'connect', socket.secureConnecting));
  socket.on('ready', () => note('client', 'ready'));
  socket.setEncoding('utf8');
  socket.on('data', (text) => note('client', 'data', text));
  socket.on('end', () => note('client', 'end'));
  socket.on('close', (hadError) => {
    note('client', 'close', hadError, socket.bytesRead, socket.bytesWritten);
    server.close(() => note('server', 'closed'));
  });
});
