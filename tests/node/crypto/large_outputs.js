'use strict';
// Outputs of some megabytes, and one piece only for XTS.
const crypto = require('crypto');

const kLength = 2 ** 21 + 1;
const show = (what, bytes) => console.log(what, bytes.byteLength, crypto.hash('sha1', new Uint8Array(bytes)));

show('pbkdf2', crypto.pbkdf2Sync('password', 'salt', 1, kLength, 'sha512'));
show('scrypt', crypto.scryptSync('password', 'salt', kLength, { N: 2, r: 1, p: 1 }));
show('shake256', crypto.createHash('shake256', { outputLength: kLength }).update('a').digest());
show('shake128', crypto.hash('shake128', 'a', { outputLength: kLength, outputEncoding: 'buffer' }));
crypto.pbkdf2('password', 'salt', 1, kLength, 'sha512', (error, key) => show('callback', key));

for (const length of [2 ** 31, -1]) {
  for (const action of [
    () => crypto.pbkdf2Sync('a', 'b', 1, length, 'sha1'),
    () => crypto.scryptSync('a', 'b', length),
    () => crypto.hkdfSync('sha1', 'a', 'b', 'c', length),
    () => crypto.randomBytes(length),
    () => crypto.generateKeySync('hmac', { length }),
    () => crypto.createHash('sha1', { outputLength: length }),
    () => crypto.hash('sha1', 'a', { outputLength: length }),
  ]) {
    try {
      console.log(length, action());
    } catch (error) {
      console.log(length, error.name, error.code, error.message);
    }
  }
}

const cipher = crypto.createCipheriv('aes-128-xts', Buffer.from([...Array(32).keys()]), Buffer.alloc(16));
console.log(cipher.update(Buffer.alloc(20)).toString('hex'));
try {
  cipher.update(Buffer.alloc(20));
} catch (error) {
  console.log(error.message);
}
