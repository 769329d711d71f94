'use strict';
// An empty write before the handshake is done waits for it.
const fs = require('fs');
const path = require('path');
const tls = require('tls');

const read = (name) => fs.readFileSync(path.join(__dirname, 'keys', name));
const keys = { key: read('server-key.pem'), cert: read('server-cert.pem') };

const versions = ['TLSv1.2', 'TLSv1.3'];
(function next() {
  const maxVersion = versions.shift();
  if (maxVersion === undefined) return;
  const server = tls.createServer({ ...keys, maxVersion }, (socket) => {
    socket.on('end', () => {
      lines.push('server: end');
      socket.end();
      server.close();
    });
    socket.resume();
  });
  const lines = [];
  server.on('close', () => {
    console.log(maxVersion, lines.sort());
    next();
  });
  server.listen(0, () => {
    const socket = tls.connect({ port: server.address().port, rejectUnauthorized: false });
    socket.on('error', (error) => lines.push(error.message));
    socket.write('', () => lines.push(`client: written ${socket.secureConnecting}`));
    socket.end();
    socket.resume();
  });
})();
