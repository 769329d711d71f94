'use strict';
// A server that asks for certificates, and clients with a good one, a bad one and none.
const tls = require('tls');
const { ca, identity, note, pair } = require('./fixtures/pair');

function attempt(title, maxVersion, serverOptions, clientOptions, next) {
  const server = pair({ ca, requestCert: true, maxVersion, ...serverOptions }, (socket) => {
    const { subject } = socket.getPeerCertificate();
    note('server', title, socket.authorized, socket.authorizationError, subject?.CN);
    socket.end('bye');
  }, (options) => {
    const socket = tls.connect({ ...options, ...clientOptions });
    socket.resume();
    socket.on('error', (error) => note('client', title, error.code));
    socket.on('close', () => server.close(next));
  });
  server.on('tlsClientError', (error) => note('server', title, 'tlsClientError', error.code));
}

function all(version, next) {
  attempt(`${version} good`, version, {}, identity('client'), () => {
    attempt(`${version} none allowed`, version, { rejectUnauthorized: false }, {}, () => {
      attempt(`${version} unknown allowed`, version, { rejectUnauthorized: false }, identity('self'), () => {
        attempt(`${version} none`, version, {}, {}, next);
      });
    });
  });
}

all('TLSv1.2', () => all('TLSv1.3', () => {}));
