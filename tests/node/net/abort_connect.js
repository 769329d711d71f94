'use strict';
// A signal that is aborted before, while and after a socket connects.
const net = require('net');

const server = net.createServer((socket) => socket.on('error', () => {}).resume());
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  for (const when of ['tick', 'connect']) {
    const controller = new AbortController();
    const socket = net.connect({ port, host: '127.0.0.1', signal: controller.signal });
    if (when === 'tick') process.nextTick(() => controller.abort());
    else socket.on('connect', () => controller.abort());
    socket.on('error', (error) => console.log(when, error.name, error.code));
    await new Promise((resolve) => socket.on('close', (hadError) => {
      console.log(when, 'close', hadError, socket.destroyed);
      resolve();
    }));
  }
  server.close();
});
