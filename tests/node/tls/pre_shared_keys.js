'use strict';
// Keys that both sides know, in place of certificates.
const tls = require('tls');
const { listen, note } = require('./fixtures/pair');

const key = Buffer.alloc(32, 7);
function attempt(version, clientKey, next) {
  const common = { ciphers: 'PSK', minVersion: version, maxVersion: version };
  const server = tls.createServer({
    ...common,
    ciphers: 'PSK+HIGH:TLS_AES_128_GCM_SHA256',
    pskIdentityHint: 'hint',
    pskCallback(socket, identity) {
      note('server', version, identity);
      return identity === 'me' ? key : null;
    },
  }, (socket) => socket.end('hello'));
  server.on('tlsClientError', (error) => note('server', version, error.code));
  listen(server, ({ port, host }) => {
    const socket = tls.connect({
      ...common,
      ciphers: 'PSK+HIGH:TLS_AES_128_GCM_SHA256',
      port,
      host,
      checkServerIdentity: () => undefined,
      pskCallback(hint) {
        note('client', version, 'hint', hint);
        return { psk: clientKey, identity: 'me' };
      },
    }, () => note('client', version, socket.authorized));
    socket.on('data', (chunk) => note('client', String(chunk)));
    socket.on('error', (error) => note('client', version, error.code));
    socket.on('close', () => server.close(next));
  });
}
attempt('TLSv1.2', key, () => attempt('TLSv1.3', key, () => attempt('TLSv1.3', Buffer.alloc(32, 8), () => {})));
