'use strict';
// Buffer.from() of strings in every form that V8 has them in, often enough that it is optimised.

const crypto = require('node:crypto');

const flat = 'the quick brown fox, Zo\u00eb ';
const forms = {
  flat: (i) => flat,
  joined: (i) => flat + i + flat, // not in one piece
  sliced: (i) => flat.slice(1 + i % 3),
  wide: (i) => flat + '\u20ac\ud83d\ude00' + i,
  lone: (i) => flat + '\ud83d' + i,
  empty: (i) => (i % 2 === 0 ? '' : flat),
};

const encodings = ['utf8', 'latin1', 'ascii', 'utf16le', 'base64', 'base64url', 'hex'];

function digest(form, encoding, times) {
  const hash = crypto.createHash('sha1');
  let length = 0;
  for (let i = 0; i < times; i++) {
    const buffer = Buffer.from(form(i), encoding);
    length += buffer.length;
    if (i % 100 === 0) hash.update(buffer);
  }
  return `${length} ${hash.digest('hex').slice(0, 12)}`;
}

for (const encoding of encodings) {
  for (const [name, form] of Object.entries(forms)) console.log(encoding, name, digest(form, encoding, 3000));
}

// Digits in blocks of sixteen bytes, with a wrong one at each position.
const digits = '0123456789abcdefABCDEF00'.repeat(4);
for (let at = 0; at < digits.length; at += 7) {
  for (const wrong of ['g', '/', ':', '@', 'G', '`', ' ', '\0', '\u00b0']) {
    const text = digits.slice(0, at) + wrong + digits.slice(at + 1);
    console.log(at, JSON.stringify(wrong), Buffer.from(text, 'hex').toString('hex'));
  }
}
for (let length = 0; length < 70; length += 3) {
  const bytes = Buffer.from(Array.from({ length }, (_, i) => i * 37 & 255));
  const text = bytes.toString('hex');
  console.log(text, Buffer.from(text.toUpperCase(), 'hex').equals(bytes));
}

// A block of another size, and texts that just fit.
Buffer.poolSize = 256;
for (let length = 100; length < 140; length++) {
  const buffers = [0, 1, 2].map((i) => Buffer.from(String(i).repeat(length), 'latin1'));
  console.log(length, buffers.every((buffer, i) => buffer.toString() === String(i).repeat(length)));
}
