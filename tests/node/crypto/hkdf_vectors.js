'use strict';
// RFC 5869, keys of every form, limits.
const { createSecretKey, hkdf, hkdfSync } = require('node:crypto');

const hex = (buffer) => Buffer.from(buffer).toString('hex');
const bytes = (text) => Buffer.from(text, 'hex');
const range = (from, to) => Buffer.from(Array.from({ length: to - from + 1 }, (_, i) => from + i));
console.log(hex(hkdfSync('sha256', bytes('0b'.repeat(22)), range(0, 12), range(0xf0, 0xf9), 42)));
console.log(hex(hkdfSync('sha256', range(0, 0x4f), range(0x60, 0xaf), range(0xb0, 0xff), 82)));
console.log(hex(hkdfSync('sha256', bytes('0b'.repeat(22)), '', '', 42)));
console.log(hex(hkdfSync('sha1', bytes('0b'.repeat(11)), range(0, 12), range(0xf0, 0xf9), 42)));
console.log(hex(hkdfSync('sha1', bytes('0c'.repeat(22)), '', '', 42)));
console.log(hex(hkdfSync('sha512', '', '', '', 5)), hex(hkdfSync('sha3-256', createSecretKey(bytes('0b')), new ArrayBuffer(3), new Uint16Array(2), 7)));
function attempt(label, run) {
  try {
    console.log(label, run());
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
attempt('most', () => hkdfSync('sha256', 'a', 'b', 'c', 255 * 32).byteLength);
attempt('more', () => hkdfSync('sha256', 'a', 'b', 'c', 255 * 32 + 1));
attempt('nothing', () => hkdfSync('sha256', 'a', 'b', 'c', 0));
attempt('extendable', () => hkdfSync('shake128', 'a', 'b', 'c', 1));
attempt('digest', () => hkdfSync('nope', 'a', 'b', 'c', 1));
attempt('info', () => hkdfSync('sha1', 'a', 'b', Buffer.alloc(1025), 1));
for (const bad of [1, null, undefined, {}]) {
  attempt('key', () => hkdfSync('sha1', bad, '', '', 1));
  attempt('salt', () => hkdfSync('sha1', '', bad, '', 1));
  attempt('info', () => hkdfSync('sha1', '', '', bad, 1));
  attempt('length', () => hkdfSync('sha1', '', '', '', bad === 1 ? -1 : bad));
}
hkdf('sha256', 'a', 'b', 'c', 8, (error, key) => console.log(error, hex(key)));
