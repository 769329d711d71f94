'use strict';
// Chunks of every size around those that are kept apart: their bytes, and their memory.
const net = require('net');

const sizes = [1, 2, 63, 64, 65, 127, 1000, 70_000];
const server = net.createServer((socket) => socket.pipe(socket));
server.listen(0, '127.0.0.1', async () => {
  const kept = [];
  const socket = net.connect(server.address().port, '127.0.0.1');
  for (const size of sizes) {
    const sent = Buffer.alloc(size, size.toString(36));
    socket.write(sent);
    let received = [];
    let length = 0;
    while (length < size) {
      const chunk = await new Promise((resolve) => socket.once('data', resolve));
      length += chunk.length;
      received.push(chunk);
      kept.push([chunk, Buffer.from(chunk)]);
    }
    received = Buffer.concat(received);
    const [[first]] = kept;
    console.log(size, received.equals(sent), Buffer.isBuffer(first), first.buffer.byteLength, first.byteOffset);
  }
  console.log('unchanged', kept.every(([chunk, copy]) => chunk.equals(copy)));
  socket.destroy();
  server.close();
});
