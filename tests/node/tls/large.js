'use strict';
// Many records each way, with pauses.
const crypto = require('crypto');
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

const data = Buffer.alloc(3_000_000, 'abcdefghij');
const digest = (buffers) => crypto.createHash('sha256').update(Buffer.concat(buffers)).digest('hex').slice(0, 16);

const server = pair({}, (socket) => {
  const received = [];
  socket.on('data', (chunk) => {
    received.push(chunk);
    if (received.length % 50 === 0) {
      socket.pause();
      setImmediate(() => socket.resume());
    }
  });
  socket.on('end', () => {
    note('server', digest(received), Buffer.concat(received).length, socket.bytesRead);
    socket.end(data);
  });
}, (options) => {
  const received = [];
  const socket = tls.connect({ ...options, allowHalfOpen: true }, () => socket.end(data));
  socket.on('data', (chunk) => received.push(chunk));
  socket.on('end', () => note('client', digest(received), received.every((chunk) => chunk.length <= 16384)));
  socket.on('close', () => {
    note('client', socket.bytesWritten);
    server.close();
  });
});
server.allowHalfOpen = true;
