'use strict';
// Old and unusual names of digests, wherever a digest is named.
const crypto = require('crypto');

const { publicKey, privateKey } = crypto.generateKeyPairSync('rsa', { modulusLength: 1024 });
const data = Buffer.from('message');

function report(what, action) {
  try {
    console.log(what, action());
  } catch (error) {
    console.log(what, error.name, error.code, error.message);
  }
}

for (const name of ['DSS1', 'dss1', 'Dss1', 'RSA-SHA256', 'ssl3-sha1', 'ssl3-md5', 'SHA2-256', 'sha512-256', 'SHA2-512/256',
  '2.16.840.1.101.3.4.2.1', 'RSA-SHA1-2', 'sha3-256', 'rsa_sha256', 'md4', 'blake2b512', 'shake128', '']) {
  report(`sign ${name}`, () => crypto.verify(name, data, publicKey, crypto.sign(name, data, privateKey)));
  report(`stream ${name}`, () => {
    const signature = crypto.createSign(name).update(data).sign(privateKey);
    return crypto.createVerify(name).update(data).verify(publicKey, signature);
  });
  report(`oaep ${name}`, () => {
    const secret = crypto.publicEncrypt({ key: publicKey, oaepHash: name }, data);
    return crypto.privateDecrypt({ key: privateKey, oaepHash: name }, secret).toString();
  });
  report(`pss ${name}`, () => {
    const pair = crypto.generateKeyPairSync('rsa-pss', { modulusLength: 1024, hashAlgorithm: name });
    return pair.publicKey.asymmetricKeyDetails;
  });
  report(`hmac ${name}`, () => crypto.createHmac(name, 'key').update(data).digest('hex'));
  report(`pbkdf2 ${name}`, () => crypto.pbkdf2Sync('a', 'b', 1, 8, name).toString('hex'));
}
