'use strict';
// Lengths of extendable-output functions, and what other digests say to them.
const { createHash, hash } = require('node:crypto');

function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message, error.library, error.reason, error.opensslErrorStack);
  }
}

for (const name of ['shake128', 'SHAKE256', 'keccak-kmac-128']) {
  for (const outputLength of [0, 1, 16, 32, 200]) {
    attempt(`${name} ${outputLength}`, () => createHash(name, { outputLength }).update('a').digest('hex'));
    attempt(`${name} ${outputLength}`, () => hash(name, 'a', { outputLength }));
  }
}
attempt('fixed', () => createHash('sha256', { outputLength: 32 }).digest('hex'));
attempt('other', () => createHash('sha256', { outputLength: 31 }).digest('hex'));
attempt('other', () => hash('sha256', '', { outputLength: 31 }));
attempt('negative zero', () => createHash('shake128', { outputLength: -0 }).digest('hex'));
for (const outputLength of [-1, 1.5, 2 ** 32, '4', null, {}]) {
  attempt(typeof outputLength, () => createHash('shake128', { outputLength }));
  attempt(typeof outputLength, () => hash('shake128', '', { outputLength }));
}
attempt('unknown', () => createHash('xyzzy'));
attempt('unknown', () => hash('xyzzy', ''));
attempt('legacy', () => createHash('md4'));
attempt('legacy', () => hash('whirlpool', ''));
attempt('cSHAKE', () => createHash('shake128', { outputLength: 8, functionName: 'f' }));
attempt('cSHAKE', () => hash('shake128', '', { outputLength: 8, customization: 'c' }));
attempt('copy', () => createHash('shake256', { outputLength: 3 }).update('a').copy({ outputLength: 5 }).digest('hex'));
attempt('copy', () => createHash('sha256').update('a').copy({ outputLength: 5 }).digest('hex'));
