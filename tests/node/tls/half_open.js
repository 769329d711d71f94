'use strict';
// One side ends, the other goes on.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

const server = pair({ allowHalfOpen: true }, (socket) => {
  socket.on('data', (chunk) => note('server', String(chunk)));
  socket.on('end', () => {
    note('server', 'end');
    socket.write('still here');
    setImmediate(() => socket.end('bye'));
  });
}, (options) => {
  const socket = tls.connect({ ...options, allowHalfOpen: true }, () => socket.end('done'));
  let text = '';
  socket.on('data', (chunk) => { text += chunk; });
  socket.on('end', () => note('client', text, socket.readyState));
  socket.on('close', (hadError) => {
    note('client', 'close', hadError);
    server.close();
  });
});
