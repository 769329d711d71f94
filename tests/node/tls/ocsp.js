'use strict';
// A response that the server staples, and one that it has not.
const tls = require('tls');
const { note, pair } = require('./fixtures/pair');

function attempt(title, answer, next) {
  const server = pair({}, (socket) => socket.end(), (options) => {
    const socket = tls.connect({ ...options, requestOCSP: true });
    socket.on('OCSPResponse', (response) => note('client', title, response));
    socket.resume();
    socket.on('close', () => server.close(next));
  });
  if (answer === undefined) return;
  server.on('OCSPRequest', (certificate, issuer, callback) => {
    note('server', title, Buffer.isBuffer(certificate), issuer);
    setImmediate(callback, null, answer);
  });
}

attempt('stapled', Buffer.from('a response'), () => {
  attempt('none', null, () => {
    attempt('nobody asked', undefined, () => {});
  });
});
