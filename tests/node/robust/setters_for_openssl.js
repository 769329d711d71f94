'use strict';
// Setters on Object.prototype that throw, for the properties of errors that OpenSSL has reported.
const crypto = require('crypto');
const net = require('net');
const tls = require('tls');

function withSetter(name, callback) {
  Object.defineProperty(Object.prototype, name, {
    configurable: true,
    set() {
      throw new Error(`setter of ${name}`);
    },
  });
  try {
    callback();
  } catch (error) {
    console.log(name, error.message);
  } finally {
    delete Object.prototype[name];
  }
}

const kNoKey = '-----BEGIN RSA PRIVATE KEY-----\nAAAAAAAAAAAA\n-----END RSA PRIVATE KEY-----';
for (const name of ['library', 'reason', 'code']) withSetter(name, () => crypto.createSign('sha1').sign(kNoKey));

// The connection fails while the setter is there; which event reports it depends on the setter.
const server = tls.createServer(() => {});
let told = false;
function tell() {
  delete Object.prototype.library;
  if (told) return;
  told = true;
  console.log('told');
  client.destroy();
  server.close();
}
process.on('uncaughtException', tell);
server.on('tlsClientError', tell);
let client;
server.listen(0, '127.0.0.1', () => {
  client = net.connect(server.address().port, '127.0.0.1', () => client.write('this is no TLS'));
  client.on('error', () => {});
  client.resume();
  Object.defineProperty(Object.prototype, 'library', {
    configurable: true,
    set() {
      throw new Error('setter');
    },
  });
});
setTimeout(() => process.exit(), 5000).unref();
