'use strict';
// RFC 6070 and RFC 7914 section 11, the callback, what is refused.
const { pbkdf2, pbkdf2Sync } = require('node:crypto');

const cases = [
  ['password', 'salt', 1, 20, 'sha1'], ['password', 'salt', 2, 20, 'sha1'], ['password', 'salt', 4096, 20, 'sha1'],
  ['passwordPASSWORDpassword', 'saltSALTsaltSALTsaltSALTsaltSALTsalt', 4096, 25, 'sha1'], ['pass\0word', 'sa\0lt', 4096, 16, 'sha1'],
  ['passwd', 'salt', 1, 64, 'sha256'], ['', '', 1, 8, 'sha512'], ['p', 's', 3, 100, 'sha3-256'],
];
for (const parameters of cases) console.log(pbkdf2Sync(...parameters).toString('hex'));
function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error.library, error.reason, error.opensslErrorStack);
  }
}
attempt('no bytes', () => pbkdf2Sync('a', 'b', 1, 0, 'sha1'));
attempt('digest', () => pbkdf2Sync('a', 'b', 1, 8, 'nope'));
attempt('digest', () => pbkdf2Sync('a', 'b', 1, 8, 'md4'));
attempt('digest', () => pbkdf2Sync('a', 'b', 1, 8, 'shake128'));
attempt('digest', () => pbkdf2Sync('a', 'b', 1, 8));
for (const bad of [0, -1, 1.5, 2 ** 31, '1', undefined]) {
  attempt('iterations', () => pbkdf2Sync('a', 'b', bad, 8, 'sha1'));
  attempt('length', () => pbkdf2Sync('a', 'b', 1, bad === 0 ? -0.5 : bad, 'sha1'));
}
attempt('password', () => pbkdf2Sync(1, 'b', 1, 8, 'sha1'));
attempt('salt', () => pbkdf2Sync('a', null, 1, 8, 'sha1'));
attempt('callback', () => pbkdf2('a', 'b', 1, 8, 'sha1'));
pbkdf2('password', 'salt', 1, 20, 'sha1', function(error, key) {
  console.log(error, key.toString('hex'), typeof this);
  pbkdf2('a', 'b', 1, 0, 'sha1', (failure) => console.log(failure.message));
});
