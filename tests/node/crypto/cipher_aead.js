'use strict';
// Authenticated modes: tags, additional data, errors, and when they are reported. SP 800-38C, SP 800-38D, RFC 7253, RFC 8439, RFC 8452.
const { createCipheriv, createDecipheriv, getCipherInfo } = require('node:crypto');

const filled = (size) => Buffer.alloc(size, 7);
function attempt(label, run) {
  try {
    const result = run();
    console.log(label, Array.isArray(result) ? result.map((part) => part.toString('hex')) : result === undefined ? 'done' : result);
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
for (const name of ['aes-128-gcm', 'aes-256-gcm', 'aes-128-ccm', 'aes-256-ocb', 'chacha20-poly1305', 'aes-128-siv', 'aes-256-gcm-siv', 'sm4-gcm']) {
  const { keyLength, ivLength } = getCipherInfo(name);
  const key = filled(keyLength);
  const iv = ivLength === undefined ? null : filled(ivLength);
  const tagged = { authTagLength: 16 };
  const aad = { plaintextLength: 20 };
  attempt(`${name} plain`, () => { const c = createCipheriv(name, key, iv); return [c.update(filled(20)), c.final(), c.getAuthTag()]; });
  attempt(`${name} aad`, () => {
    const c = createCipheriv(name, key, iv, tagged);
    c.setAAD(filled(3), aad);
    return [c.update(filled(20)), c.final(), c.getAuthTag()];
  });
  for (const authTagLength of [0, 4, 8, 9, 16, 17]) {
    attempt(`${name} tag ${authTagLength}`, () => {
      const c = createCipheriv(name, key, iv, { authTagLength });
      return [c.update(filled(20)), c.final(), c.getAuthTag()];
    });
  }
  attempt(`${name} empty`, () => { const c = createCipheriv(name, key, iv, tagged); return [c.final(), c.getAuthTag()]; });
  attempt(`${name} no tag`, () => { const d = createDecipheriv(name, key, iv, tagged); return [d.update(filled(20)), d.final()]; });
  attempt(`${name} wrong tag`, () => {
    const d = createDecipheriv(name, key, iv, tagged);
    d.setAuthTag(filled(16));
    return [d.update(filled(20)), d.final()];
  });
  attempt(`${name} short tag`, () => createDecipheriv(name, key, iv, tagged).setAuthTag(filled(15)));
  attempt(`${name} twice`, () => createDecipheriv(name, key, iv, tagged).setAuthTag(filled(16)).setAuthTag(filled(16)));
  attempt(`${name} early tag`, () => createCipheriv(name, key, iv, tagged).getAuthTag());
  attempt(`${name} no iv`, () => void createCipheriv(name, key, null, tagged));
  attempt(`${name} long key`, () => void createCipheriv(name, filled(keyLength + 1), iv, tagged));
  attempt(`${name} long iv`, () => void createCipheriv(name, key, filled(17), tagged));
  attempt(`${name} short iv`, () => void createCipheriv(name, key, filled(1), tagged));
}
attempt('ccm without a length', () => createCipheriv('aes-128-ccm', filled(16), filled(12), { authTagLength: 16 }).setAAD(filled(1)));
attempt('ccm too long', () => createCipheriv('aes-128-ccm', filled(16), filled(13), { authTagLength: 16 }).update(filled(65536)));
attempt('ccm too long', () => createCipheriv('aes-128-ccm', filled(16), filled(13), { authTagLength: 16 }).setAAD(filled(1), { plaintextLength: 65536 }));
attempt('ccm twice', () => { const c = createCipheriv('aes-128-ccm', filled(16), filled(13), { authTagLength: 16 }); c.update('a'); c.update('b'); });
