'use strict';
// A zero as a prime or a key of Diffie-Hellman counts as none; and bytes that are no PKCS#12 bundle.
const { createDiffieHellman, parsePKCS12 } = require('node:crypto');

function attempt(label, call) {
  try {
    console.log(label, call());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
const zero = createDiffieHellman(Buffer.alloc(4));
attempt('prime', () => zero.getPrime('hex'));
attempt('generator', () => zero.getGenerator('hex'));
const keys = createDiffieHellman(Buffer.from('17', 'hex'));
for (const key of [Buffer.alloc(4), Buffer.alloc(0), Buffer.from([0, 5])]) {
  keys.setPublicKey(key);
  keys.setPrivateKey(key);
  attempt('public', () => keys.getPublicKey('hex'));
  attempt('private', () => keys.getPrivateKey('hex'));
}
for (const bundle of [Buffer.alloc(0), Buffer.alloc(4), new ArrayBuffer(2), Buffer.from('3003020101', 'hex'), Buffer.from('text')]) {
  attempt('bundle', () => parsePKCS12(bundle));
  attempt('bundle', () => parsePKCS12(bundle, { passphrase: 'x' }));
}
