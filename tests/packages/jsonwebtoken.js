'use strict';
const assert = require('node:assert');
const { generateKeyPairSync } = require('node:crypto');
const jwt = require('jsonwebtoken');

const claims = { sub: 'ada', iat: 1700000000, exp: 4000000000, roles: ['reader', 'writer'] };
for (const algorithm of ['HS256', 'HS384', 'HS512']) {
  const token = jwt.sign(claims, 'a secret that is long enough', { algorithm, keyid: 'k1' });
  console.log(algorithm, token, jwt.verify(token, 'a secret that is long enough'));
}

const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  PS384: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ES512: generateKeyPairSync('ec', { namedCurve: 'P-521' }),
};
for (const [algorithm, { privateKey, publicKey }] of Object.entries(pairs)) {
  const token = jwt.sign(claims, privateKey.export({ type: 'pkcs8', format: 'pem' }), { algorithm });
  const pem = publicKey.export({ type: 'spki', format: 'pem' });
  assert.deepStrictEqual(jwt.verify(token, pem, { algorithms: [algorithm] }), claims);
  console.log(algorithm, jwt.decode(token, { complete: true }).header);
  for (const [key, options] of [[pem, { algorithms: ['HS256'] }], [pem, { audience: 'other' }]]) {
    assert.throws(() => jwt.verify(token, key, options), (error) => {
      console.log(error.name, error.message);
      return true;
    });
  }
}

const failures = [
  () => jwt.verify(jwt.sign({ exp: 1 }, 's'), 's'),
  () => jwt.verify(jwt.sign({ nbf: 4000000000, iat: 1 }, 's'), 's'),
  () => jwt.verify(`${jwt.sign({ a: 1 }, 's')}x`, 's'),
  () => jwt.verify('a.b', 's'),
  () => jwt.sign(claims, generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, { algorithm: 'RS256' }),
  () => jwt.sign(claims, 'no key', { algorithm: 'RS256' }),
];
for (const failure of failures) {
  try {
    failure();
    console.log('no error');
  } catch (error) {
    console.log(error.name, error.message);
  }
}
jwt.sign({ iat: 1 }, 'asynchronous', (error, token) => {
  jwt.verify(token, 'asynchronous', (error, payload) => console.log(token, payload));
});
