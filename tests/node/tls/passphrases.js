'use strict';
// Keys with a passphrase that is wrong, empty or missing.
const { generateKeyPairSync } = require('crypto');
const tls = require('tls');

const { privateKey } = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-128-cbc', passphrase: 'right' },
});
for (const passphrase of ['right', '', undefined, null]) {
  try {
    tls.createSecureContext({ key: privateKey, passphrase });
    console.log(passphrase, 'accepted');
  } catch ({ code, message }) {
    console.log(passphrase, code, message);
  }
}
