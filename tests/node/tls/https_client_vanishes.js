'use strict';
// Clients that go away at any moment: the server goes on.
const https = require('https');
const net = require('net');
const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'keys', name));
const keys = { key: read('server-key.pem'), cert: read('server-cert.pem') };

const server = https.createServer({ ...keys, handshakeTimeout: 1000 }, (request, response) => response.end('x'.repeat(100_000)));
server.on('tlsClientError', () => {});

function visit(kind) {
  return new Promise((resolve) => {
    const { port } = server.address();
    const socket = kind < 2 ? net.connect(port) : tls.connect({ port, rejectUnauthorized: false });
    socket.on('error', () => {});
    socket.on('close', resolve);
    socket.on(kind < 2 ? 'connect' : 'secureConnect', () => {
      if (kind === 0) socket.destroy();
      else if (kind === 1) socket.write(Buffer.alloc(1000, 42));
      else socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n', () => kind === 2 ? socket.destroy() : socket.end());
    });
    socket.resume();
  });
}
server.listen(0, async () => {
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 20 }, (_, i) => visit(i % 4)));
  }
  https.get({ port: server.address().port, rejectUnauthorized: false, agent: false }, (response) => {
    let length = 0;
    response.on('data', (chunk) => {
      length += chunk.length;
    });
    response.on('end', () => {
      console.log(response.statusCode, length);
      server.close(() => console.log('closed'));
    });
  });
});
