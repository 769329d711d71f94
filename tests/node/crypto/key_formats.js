'use strict';
// Keys of every type leave as PEM, DER, JWK and raw bytes, and come back the same.
const crypto = require('crypto');

const kTypes = [
  ['rsa', { modulusLength: 1024 }], ['rsa-pss', { modulusLength: 1024, hashAlgorithm: 'sha256' }],
  ['ec', { namedCurve: 'P-256' }], ['ec', { namedCurve: 'secp256k1' }], ['ed25519'], ['ed448'], ['x25519'], ['x448'],
  ['ml-dsa-44'], ['ml-kem-768'],
];

function attempt(action) {
  try {
    return action();
  } catch (error) {
    return `${error.code}: ${error.message}`;
  }
}

for (const [type, options] of kTypes) {
  const { publicKey, privateKey } = crypto.generateKeyPairSync(type, options);
  console.log(type, publicKey.asymmetricKeyType, publicKey.asymmetricKeyDetails);
  for (const format of ['pem', 'der']) {
    const spki = publicKey.export({ type: 'spki', format });
    console.log(format, crypto.createPublicKey({ key: spki, type: 'spki', format }).equals(publicKey));
    const pkcs8 = privateKey.export({ type: 'pkcs8', format });
    console.log(format, crypto.createPrivateKey({ key: pkcs8, type: 'pkcs8', format }).equals(privateKey));
    const locked = privateKey.export({ type: 'pkcs8', format, cipher: 'aes-256-cbc', passphrase: 'secret' });
    const open = { key: locked, type: 'pkcs8', format };
    console.log(crypto.createPrivateKey({ ...open, passphrase: 'secret' }).equals(privateKey));
    console.log(attempt(() => crypto.createPrivateKey(open)));
  }
  console.log(attempt(() => Object.keys(privateKey.export({ format: 'jwk' })).join()));
  console.log(attempt(() => crypto.createPublicKey({ key: publicKey.export({ format: 'jwk' }), format: 'jwk' })
    .equals(publicKey)));
  console.log(attempt(() => publicKey.export({ format: 'raw-public' }).length));
  console.log(attempt(() => privateKey.export({ format: 'raw-private' }).length));
  console.log(attempt(() => privateKey.export({ format: 'raw-seed' }).length));
  console.log(attempt(() => privateKey.export({ type: 'pkcs1', format: 'pem' }).split('\n')[0]));
  console.log(attempt(() => privateKey.export({ type: 'sec1', format: 'pem' }).split('\n')[0]));
}
