'use strict';
// Every cipher, there and back, whole and in pieces. Its text with a fixed key is Node's.
const { createCipheriv, createDecipheriv, getCipherInfo, getCiphers } = require('node:crypto');

const text = Buffer.from(Array.from({ length: 48 }, (_, i) => i * 5 % 251));
for (const name of getCiphers()) {
  if (/^des3-wrap|cms3des/.test(name)) continue; // has a random part
  const { keyLength, ivLength = 0, mode } = getCipherInfo(name);
  const key = Buffer.from(Array.from({ length: keyLength }, (_, i) => i));
  const iv = ivLength === 0 ? null : Buffer.alloc(ivLength, 9);
  const options = ['ccm', 'ocb'].includes(mode) ? { authTagLength: 16 } : undefined;
  const isWhole = /wrap|siv|ccm|cts|xts/.test(name);
  const cipher = createCipheriv(name, key, iv, options);
  const parts = isWhole ? [cipher.update(text)] : [cipher.update(text.subarray(0, 5)), cipher.update(text.subarray(5))];
  const encrypted = Buffer.concat([...parts, cipher.final()]);
  let tag;
  try {
    tag = cipher.getAuthTag();
  } catch {
    // not authenticated
  }
  const decipher = createDecipheriv(name, key, iv, options);
  if (tag !== undefined) decipher.setAuthTag(tag);
  let back;
  try {
    const pieces = isWhole ? [decipher.update(encrypted)] : [decipher.update(encrypted.subarray(0, 9)), decipher.update(encrypted.subarray(9))];
    back = Buffer.concat([...pieces, decipher.final()]).equals(text);
  } catch (error) {
    back = error.message;
  }
  console.log(name, encrypted.toString('hex'), tag?.toString('hex'), back);
}
