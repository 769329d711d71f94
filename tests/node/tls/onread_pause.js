'use strict';
// With a buffer of the program's own: nothing of what arrives while the socket is paused is lost, and the end comes last.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair.js');

const size = 200_000;
const bytes = Buffer.from(Array.from({ length: size }, (_, i) => i % 251));

pair({}, (socket) => socket.end(bytes), (options, server) => {
  const chunks = [];
  let pauses = 0;
  const client = tls.connect({
    ...options,
    onread: {
      buffer: Buffer.alloc(1000),
      callback(count, buffer) {
        chunks.push(Buffer.from(buffer.subarray(0, count)));
        if (chunks.length % 20 === 1) {
          pauses++;
          client.pause();
          setTimeout(() => client.resume(), 5);
        }
      },
    },
  });
  client.on('end', () => {
    note('client', 'end', Buffer.concat(chunks).equals(bytes), pauses > 5);
    server.close();
  });
});
