'use strict';
// A hint for shared keys that is too long is reported as a client's error.
const tls = require('tls');

const server = tls.createServer({
  ciphers: 'PSK+HIGH', pskCallback() {}, pskIdentityHint: 'x'.repeat(512),
});
server.on('tlsClientError', (error, socket) => {
  console.log(error.code, error.message, socket.destroyed);
  server.close();
});
server.listen(0, () => {
  const socket = tls.connect({
    port: server.address().port, ciphers: 'PSK+HIGH', checkServerIdentity() {}, pskCallback() {},
  });
  socket.on('error', (error) => console.log(error.code));
});
