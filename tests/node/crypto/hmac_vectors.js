'use strict';
// RFC 2202 and RFC 4231, and what is refused.
const { createHmac, createSecretKey } = require('node:crypto');

const cases = [
  ['0b'.repeat(20), Buffer.from('Hi There')],
  [Buffer.from('Jefe').toString('hex'), Buffer.from('what do ya want for nothing?')],
  ['aa'.repeat(20), Buffer.alloc(50, 0xdd)],
  ['0102030405060708090a0b0c0d0e0f10111213141516171819', Buffer.alloc(50, 0xcd)],
  ['aa'.repeat(131), Buffer.from('Test Using Larger Than Block-Size Key - Hash Key First')],
  ['', Buffer.from('no key')],
];
for (const name of ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-256']) {
  for (const [key, data] of cases) {
    const bytes = Buffer.from(key, 'hex');
    const mac = createHmac(name, bytes).update(data).digest('hex');
    const same = createHmac(name, createSecretKey(bytes)).update(data.subarray(0, 3)).update(data.subarray(3)).digest('hex');
    console.log(name, mac, mac === same);
  }
}

function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
attempt('unknown', () => createHmac('xyzzy', 'key'));
attempt('extendable', () => createHmac('shake128', 'key'));
attempt('text key', () => createHmac('sha1', 'k\u00e9y').update('a').digest('base64'));
attempt('encoding', () => createHmac('sha1', '6b', { encoding: 'hex' }).update('a').digest('latin1'));
const hmac = createHmac('sha1', 'key');
attempt('first', () => hmac.digest('hex'));
attempt('second', () => hmac.digest('hex'));
attempt('second', () => hmac.digest());
attempt('update', () => hmac.update('a'));
for (const key of [undefined, null, 1, {}]) attempt('key', () => createHmac('sha1', key));
