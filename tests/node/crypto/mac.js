'use strict';
// createMac(): RFC 4493 (CMAC), SP 800-38D (GMAC), RFC 8439 (Poly1305), SP 800-185 (KMAC), and the options of each.
const { createMac, createSecretKey, getMacs } = require('node:crypto');

console.log(getMacs());
function attempt(label, name, key, options, data = 'abc') {
  try {
    console.log(label, createMac(name, key, options).update(data).final('hex'));
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
const key = Buffer.from('2b7e151628aed2a6abf7158809cf4f3c', 'hex');
attempt('cmac', 'cmac', key, { cipher: 'aes-128-cbc' }, Buffer.alloc(0));
attempt('cmac', 'CMAC', key, { cipher: 'AES-128-CBC' }, Buffer.from('6bc1bee22e409f96e93d7e117393172a', 'hex'));
attempt('cmac', 'cmac', key, {});
attempt('cmac', 'cmac', key, { cipher: 'aes-128-gcm' });
attempt('cmac', 'cmac', key, { cipher: 'nope' });
attempt('cmac', 'cmac', key.subarray(1), { cipher: 'aes-128-cbc' });
attempt('gmac', 'gmac', key, { cipher: 'aes-128-gcm', iv: Buffer.alloc(12) });
attempt('gmac', 'gmac', key, { cipher: 'aes-128-gcm', iv: Buffer.alloc(0) });
attempt('gmac', 'gmac', key, { cipher: 'aes-128-cbc', iv: Buffer.alloc(12) });
attempt('gmac', 'gmac', key, { iv: Buffer.alloc(12) });
attempt('hmac', 'hmac', key, { digest: 'sha256' });
attempt('hmac', 'hmac', createSecretKey(key), { digest: 'sha256' });
attempt('hmac', 'hmac', key);
attempt('hmac', 'hmac', key, { digest: 'nope' });
attempt('hmac', 'hmac', key, { digest: 'shake128' });
attempt('hmac', 'hmac', key, { digest: 'sha1', salt: key });
attempt('poly1305', 'poly1305', Buffer.from('85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b', 'hex'), {},
        'Cryptographic Forum Research Group');
attempt('poly1305', 'poly1305', key);
const kmac = Buffer.from('404142434445464748494a4b4c4d4e4f505152535455565758595a5b5c5d5e5f', 'hex');
attempt('kmac', 'kmac128', kmac, { outputLength: 32 }, Buffer.from('00010203', 'hex'));
attempt('kmac', 'kmac128', kmac, { outputLength: 32, customization: Buffer.from('My Tagged Application') }, Buffer.from('00010203', 'hex'));
attempt('kmac', 'kmac256', kmac, { outputLength: 64, customization: Buffer.from('My Tagged Application') }, Buffer.from('00010203', 'hex'));
attempt('kmac', 'kmac256', kmac, { outputLength: 0 });
attempt('kmac', 'kmac256', kmac.subarray(0, 3));
attempt('kmac', 'kmac256', kmac, { customization: Buffer.alloc(513) });
attempt('siphash', 'siphash', key, { outputLength: 8 });
attempt('siphash', 'siphash', key, { outputLength: 7 });
attempt('siphash', 'siphash', key, { outputLength: 0 });
attempt('blake2', 'blake2bmac', key, { salt: Buffer.alloc(16, 1), customization: Buffer.alloc(16, 2), outputLength: 20 });
attempt('blake2', 'blake2smac', key, { outputLength: 33 });
attempt('blake2', 'blake2smac', Buffer.alloc(0));
attempt('unknown', 'xyzzy', key);
const mac = createMac('siphash', key);
mac.final();
try {
  mac.final();
} catch (error) {
  console.log(error.code, error.message);
}
createMac('siphash', key).on('data', (data) => console.log('stream', data.toString('hex'))).end('abc');
