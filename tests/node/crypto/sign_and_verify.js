'use strict';
// Signatures by streams, at once and with callbacks.
const crypto = require('crypto');

const data = Buffer.from('message');
const pairs = {
  rsa: crypto.generateKeyPairSync('rsa', { modulusLength: 1024 }),
  ec: crypto.generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  ed25519: crypto.generateKeyPairSync('ed25519'),
};

for (const name of ['rsa', 'ec']) {
  const { publicKey, privateKey } = pairs[name];
  const signature = crypto.createSign('sha256').update(data).sign(privateKey);
  console.log(name, crypto.createVerify('sha256').update(data).verify(publicKey, signature));
  console.log(name, crypto.createVerify('sha256').update('other').verify(publicKey, signature));
  console.log(name, crypto.verify('sha256', data, publicKey, signature));
}
const { publicKey, privateKey } = pairs.ec;
const plain = crypto.sign('sha384', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
console.log(plain.length, crypto.verify('sha384', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, plain));
console.log(crypto.verify('sha384', data, { key: publicKey, dsaEncoding: 'ieee-p1363' }, plain.subarray(1)));

const edwards = crypto.sign(null, data, pairs.ed25519.privateKey);
console.log(edwards.length, crypto.verify(null, data, pairs.ed25519.publicKey, edwards));
for (const action of [
  () => crypto.createSign('nothing'),
  () => crypto.createSign('sha256').update(data).sign(pairs.ed25519.privateKey),
  () => crypto.sign('sha256', data, pairs.ed25519.privateKey),
  () => crypto.sign('nothing', data, privateKey),
]) {
  try {
    action();
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
crypto.sign('sha256', data, pairs.rsa.privateKey, (error, signature) => {
  console.log(error, signature.length);
  crypto.verify('sha256', data, pairs.rsa.publicKey, signature, (failed, valid) => console.log(failed, valid));
});
