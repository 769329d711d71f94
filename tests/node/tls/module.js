'use strict';
// What node:tls offers.
const tls = require('tls');

console.log(Object.keys(tls).sort());
console.log(tls.DEFAULT_CIPHERS.length, tls.DEFAULT_ECDH_CURVE, tls.DEFAULT_MIN_VERSION, tls.DEFAULT_MAX_VERSION);
console.log(tls.CLIENT_RENEG_LIMIT, tls.CLIENT_RENEG_WINDOW);
console.log(tls.getCiphers().length, tls.getCiphers().slice(0, 3));
console.log(tls.rootCertificates.length, tls.rootCertificates[0].split('\n')[0], Object.isFrozen(tls.rootCertificates));
console.log(tls.getCACertificates('bundled') === tls.rootCertificates, tls.getCACertificates('extra'));
console.log(Object.getOwnPropertyNames(tls.TLSSocket.prototype).sort());
console.log(Object.getOwnPropertyNames(tls.Server.prototype).sort());
const out = {};
tls.convertALPNProtocols(['h2', 'http/1.1'], out);
console.log(out);
for (const [host, cert] of [
  ['a.com', { subject: { CN: 'a.com' } }],
  ['a.com', { subject: { CN: 'b.com' } }],
  ['a.com', { subjectaltname: 'DNS:*.com', subject: {} }],
  ['x.a.com', { subjectaltname: 'DNS:*.a.com', subject: {} }],
  ['8.8.8.8', { subjectaltname: 'IP Address:8.8.8.8', subject: {} }],
  ['::1', { subjectaltname: 'IP Address:0:0:0:0:0:0:0:1', subject: {} }],
  ['8.8.8.8', { subject: { CN: '8.8.8.8' } }],
  ['a.com', { subject: {} }],
]) {
  console.log(host, tls.checkServerIdentity(host, cert)?.message);
}
