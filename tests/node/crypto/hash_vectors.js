'use strict';
// FIPS 180-4, FIPS 202, RFC 1321, RFC 7693: the messages of the standards, in one piece, in many, and at once.
const { createHash, hash } = require('node:crypto');

const messages = ['', 'abc', 'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq', 'a'.repeat(1000)];
const names = [
  'md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256', 'sha3-224', 'sha3-256', 'sha3-384',
  'sha3-512', 'ripemd160', 'blake2b512', 'blake2s256', 'sm3', 'RSA-SHA256', 'SHA2-256', '2.16.840.1.101.3.4.2.1',
];
for (const name of names) {
  for (const message of messages) {
    const whole = createHash(name).update(message).digest('hex');
    const pieces = createHash(name);
    for (let i = 0; i < message.length; i += 7) pieces.update(Buffer.from(message.slice(i, i + 7)));
    console.log(name, message.length, whole, pieces.digest('hex') === whole, hash(name, message) === whole,
                hash(name, Buffer.from(message), 'base64'));
  }
}
