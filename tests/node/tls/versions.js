'use strict';
// Limits of versions, and ciphers.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

function attempt(serverOptions, clientOptions, next) {
  const title = `${JSON.stringify(serverOptions)} ${JSON.stringify(clientOptions)}`;
  const server = pair(serverOptions, (socket) => socket.end(), (options) => {
    const socket = tls.connect({ ...options, ...clientOptions }, () => {
      note('client', title, socket.getProtocol(), socket.getCipher().standardName);
    });
    socket.resume();
    socket.on('error', (error) => note('client', title, error.code, error.reason, error.library));
    socket.on('close', () => server.close(next));
  });
  server.on('tlsClientError', (error) => note('server', title, error.code));
}

const list = [
  [{}, {}],
  [{ maxVersion: 'TLSv1.2' }, {}],
  [{}, { maxVersion: 'TLSv1.2' }],
  [{ minVersion: 'TLSv1.3' }, { maxVersion: 'TLSv1.2' }],
  [{ ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256', maxVersion: 'TLSv1.2' }, {}],
  [{ ciphers: 'TLS_AES_128_GCM_SHA256' }, {}],
  [{ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }, { ciphers: 'ECDHE-ECDSA-AES256-GCM-SHA384' }],
];
(function next(i) {
  if (i < list.length) attempt(...list[i], () => next(i + 1));
})(0);
