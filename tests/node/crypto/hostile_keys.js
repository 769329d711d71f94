'use strict';
// What is not a key: errors, never a crash.
const crypto = require('crypto');

function attempt(action) {
  try {
    console.log(action().asymmetricKeyType);
  } catch (error) {
    console.log(error.name, error.code, error.message, error.library, error.reason);
  }
}

const { privateKey, publicKey } = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pkcs8 = privateKey.export({ type: 'pkcs8', format: 'der' });
const spki = publicKey.export({ type: 'spki', format: 'der' });
const jwk = privateKey.export({ format: 'jwk' });

for (const key of ['', 'x', '-----BEGIN PRIVATE KEY-----\n', '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----',
  '-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----']) {
  attempt(() => crypto.createPrivateKey(key));
  attempt(() => crypto.createPublicKey(key));
}
for (const length of [0, 1, 2, 10]) {
  attempt(() => crypto.createPrivateKey({ key: pkcs8.subarray(0, length), format: 'der', type: 'pkcs8' }));
  attempt(() => crypto.createPublicKey({ key: spki.subarray(0, length), format: 'der', type: 'spki' }));
}
for (const change of [{ kty: 1 }, { kty: 'XX' }, { crv: 'P-1' }, { crv: undefined }, { x: jwk.y }, { y: 5 }, { d: '' }, { d: 1 },
  { d: 'AA' }, { x: '' }]) {
  attempt(() => crypto.createPrivateKey({ key: { ...jwk, ...change }, format: 'jwk' }));
}
attempt(() => crypto.createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x: 'AA', d: 'AA' }, format: 'jwk' }));
attempt(() => crypto.createPublicKey({ key: { kty: 'RSA', n: 'AQAB' }, format: 'jwk' }));
attempt(() => crypto.createPublicKey({ key: { kty: 'AKP', alg: 'X' }, format: 'jwk' }));
attempt(() => new crypto.X509Certificate('x'));
attempt(() => new crypto.X509Certificate(spki));
