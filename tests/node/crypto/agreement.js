'use strict';
// Both sides of an agreement get the same secret.
const crypto = require('crypto');

for (const curve of ['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1']) {
  const a = crypto.createECDH(curve);
  const b = crypto.createECDH(curve);
  a.generateKeys();
  b.generateKeys();
  const secret = a.computeSecret(b.getPublicKey(null, 'compressed'));
  console.log(curve, secret.length, secret.equals(b.computeSecret(a.getPublicKey())));
  try {
    a.computeSecret(Buffer.alloc(secret.length * 2 + 1, 4));
  } catch (error) {
    console.log(error.code, error.message);
  }
}
const alice = crypto.getDiffieHellman('modp14');
const bob = crypto.getDiffieHellman('modp14');
alice.generateKeys();
bob.generateKeys();
console.log(alice.verifyError, alice.computeSecret(bob.getPublicKey()).equals(bob.computeSecret(alice.getPublicKey())));
for (const type of ['x25519', 'x448']) {
  const one = crypto.generateKeyPairSync(type);
  const two = crypto.generateKeyPairSync(type);
  console.log(type, crypto.diffieHellman({ privateKey: one.privateKey, publicKey: two.publicKey })
    .equals(crypto.diffieHellman({ privateKey: two.privateKey, publicKey: one.publicKey })));
}
for (const [type, options] of [['rsa', { modulusLength: 1024 }], ['ec', { namedCurve: 'P-256' }], ['x25519'], ['ml-kem-512']]) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
  const { sharedKey, ciphertext } = crypto.encapsulate(publicKey);
  console.log(type, sharedKey.length, ciphertext.length, crypto.decapsulate(privateKey, ciphertext).equals(sharedKey));
}
const key = crypto.generateKeyPairSync('ed25519').publicKey;
console.log(structuredClone(key).equals(key), structuredClone(crypto.createSecretKey(Buffer.from('abc'))).export());
