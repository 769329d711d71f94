'use strict';
// Connections that open, ask and go away leave nothing behind.
const http = require('node:http');
const net = require('node:net');

const server = http.createServer((request, response) => response.end('x'.repeat(1000)));
server.on('clientError', (error, socket) => socket.destroy());

function visit(i) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    socket.on('error', () => {});
    socket.on('close', resolve);
    socket.on('connect', () => {
      if (i % 4 === 0) socket.destroy();
      else if (i % 4 === 1) socket.write('GET / HTTP/1.1\r\nHo', () => socket.destroy());
      else if (i % 4 === 2) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n', () => socket.resetAndDestroy());
      else socket.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    });
    socket.resume();
  });
}

server.listen(0, '127.0.0.1', async () => {
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 40 }, (_, i) => visit(i)));
  }
  const wait = setInterval(() => {
    server.getConnections((error, count) => {
      if (count > 0) return;
      clearInterval(wait);
      console.log(error, count, process.getActiveResourcesInfo().filter((name) => /Socket/.test(name)));
      server.close(() => console.log('closed'));
    });
  }, 10);
});
