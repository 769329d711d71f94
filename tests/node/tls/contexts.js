'use strict';
// createSecureContext: what it takes, and what it refuses.
const tls = require('tls');
const { identity, read } = require('./fixtures/pair');

function show(title, options) {
  try {
    const context = tls.createSecureContext(options);
    console.log(title, context instanceof tls.SecureContext);
  } catch (error) {
    console.log(title, error.name, error.code, error.message);
  }
}
show('nothing');
show('pair', identity('server'));
show('pfx', { pfx: read('server.p12'), passphrase: 'sample' });
show('pfx, wrong passphrase', { pfx: read('server.p12'), passphrase: 'other' });
show('pfx, none', { pfx: 'x' });
show('key of another', { ...identity('server'), key: read('client-key.pem') });
show('no key', { key: 'x' });
show('no certificate', { cert: 'x' });
show('type of key', { key: 1 });
show('type of cert', { cert: {} });
show('type of ca', { ca: [1] });
show('ciphers', { ciphers: 'nothing' });
show('ciphers', { ciphers: 1 });
show('ciphers', { ciphers: 'TLS_nothing' });
show('sigalgs', { sigalgs: '' });
show('sigalgs', { sigalgs: 'x' });
show('curve', { ecdhCurve: 'x' });
show('curves', { ecdhCurve: 'P-256:X25519' });
show('version', { minVersion: 'TLSv2' });
show('method', { secureProtocol: 'SSLv3_method' });
show('method', { secureProtocol: 'hello' });
show('method and version', { secureProtocol: 'TLSv1_2_method', maxVersion: 'TLSv1.2' });
show('crl', { crl: 'x' });
show('dh', { dhparam: 'x' });
show('dh', { dhparam: 'auto' });
show('timeout', { sessionTimeout: -1 });
show('ticket keys', { ticketKeys: Buffer.alloc(3) });
show('engine', { privateKeyIdentifier: 'x' });
show('compression', { certificateCompression: ['zlib', 'brotli'] });
show('compression', { certificateCompression: ['x'] });
