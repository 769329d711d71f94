'use strict';
// Keys are compared, and URLs of keys read, by what they are inside.
const assert = require('assert');
const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { isDeepStrictEqual, types } = require('util');
const { pathToFileURL } = require('url');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'keys-'));
for (const type of ['ed25519', 'x25519']) {
  const { privateKey } = crypto.generateKeyPairSync(type);
  fs.writeFileSync(path.join(folder, type), privateKey.export({ type: 'pkcs8', format: 'pem' }));
}
class Other extends URL {
  get href() { return pathToFileURL(path.join(folder, 'x25519')).href; }
}
console.log(crypto.createPrivateKey(new Other(pathToFileURL(path.join(folder, 'ed25519')).href)).asymmetricKeyType);
fs.rmSync(folder, { recursive: true });

const [a, b, c] = [1, 2, 1].map((fill) => crypto.createSecretKey(Buffer.alloc(16, fill)));
crypto.KeyObject.prototype.equals = () => true;
console.log(isDeepStrictEqual(a, b), isDeepStrictEqual(a, c));
const spoofed = Object.setPrototypeOf({}, Object.getPrototypeOf(a));
console.log(types.isKeyObject(spoofed), types.isKeyObject(a));

const import_ = (bytes, extractable) =>
  crypto.subtle.importKey('raw', Buffer.alloc(16, bytes), 'AES-GCM', extractable, ['encrypt']);
Promise.all([import_(1, true), import_(1, true), import_(2, true), import_(1, false)]).then(([key, ...others]) => {
  for (const other of others) console.log(isDeepStrictEqual(key, other));
  const disguised = Object.setPrototypeOf({}, Object.getPrototypeOf(key));
  console.log(types.isCryptoKey(disguised), types.isCryptoKey(key), isDeepStrictEqual(key, disguised));
  assert.notDeepStrictEqual(key, disguised);
});
