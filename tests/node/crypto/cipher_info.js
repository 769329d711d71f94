'use strict';
// Names, numbers and lengths of all ciphers, and of all digests.
const { getCipherInfo, getCiphers, getHashes } = require('node:crypto');

for (const name of getCiphers()) console.log(name, JSON.stringify(getCipherInfo(name)));
console.log(getHashes().join(' '));
console.log(getCipherInfo('AES-128-CBC'), getCipherInfo(419), getCipherInfo('2.16.840.1.101.3.4.1.2'), getCipherInfo('rc4'));
for (const [name, options] of [
  ['aes-128-cbc', { ivLength: 5 }], ['aes-128-cbc', { keyLength: 5 }], ['aes-128-cbc', { keyLength: 16, ivLength: 16 }],
  ['aes-128-ocb', { ivLength: 16 }], ['aes-128-ocb', { ivLength: 15 }], ['aes-128-ccm', { ivLength: 6 }],
  ['aes-128-ccm', { ivLength: 13 }], ['aes-128-gcm', { ivLength: 0 }], ['aes-128-gcm', { ivLength: 1000 }],
  ['chacha20-poly1305', { ivLength: 10 }], ['null', {}], ['nope', {}], [1, {}], [-1, {}], ['', {}],
]) console.log(name, options, JSON.stringify(getCipherInfo(name, options)));
for (const bad of [[], [true], ['aes-128-cbc', 1], ['aes-128-cbc', { keyLength: -1 }], ['aes-128-cbc', { ivLength: '1' }]]) {
  try {
    console.log(getCipherInfo(...bad));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
