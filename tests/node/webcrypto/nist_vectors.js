// rondo-test: option=--no-warnings
'use strict';
// The vectors of ../crypto/nist_vectors.js through crypto.subtle, for the algorithms that it has.
const { subtle } = globalThis.crypto;
const vectors = require('../crypto/fixtures/nist_vectors.json');

const bytes = (hex) => Buffer.from(hex, 'hex');
const hex = (buffer) => Buffer.from(buffer).toString('hex');
const base64url = (text) => bytes(text.length % 2 === 0 ? text : `0${text}`).toString('base64url');
const kDigests = { 'sha1': 'SHA-1', 'sha256': 'SHA-256', 'sha384': 'SHA-384', 'sha512': 'SHA-512', 'sha3-256': 'SHA3-256',
  'shake128': 'cSHAKE128', 'shake256': 'cSHAKE256' };

async function passes(run) {
  try {
    return await run();
  } catch {
    return false;
  }
}

// Undefined: there is no such algorithm.
const checks = {
  async ciphers([name, key, iv, plain, cipher]) {
    const [, , mode] = name.split('-');
    // Of CBC the whole blocks, without the padding; a counter has 64 bits.
    if (mode !== 'ctr' && (mode !== 'cbc' || name.startsWith('des'))) return undefined;
    const algorithm = mode === 'cbc' ? { name: 'AES-CBC', iv: bytes(iv) } : { name: 'AES-CTR', counter: bytes(iv), length: 64 };
    const imported = await subtle.importKey('raw', bytes(key), algorithm.name, true, ['encrypt', 'decrypt']);
    const encrypted = await subtle.encrypt(algorithm, imported, bytes(plain));
    return hex(encrypted).startsWith(cipher) && hex(await subtle.decrypt(algorithm, imported, encrypted)) === plain;
  },
  async aead([name, key, iv, aad, plain, cipher, tag, valid]) {
    if (!name.endsWith('gcm')) return undefined;
    const algorithm = { name: 'AES-GCM', iv: bytes(iv), additionalData: bytes(aad), tagLength: tag.length * 4 };
    const imported = await subtle.importKey('raw', bytes(key), 'AES-GCM', false, ['encrypt', 'decrypt']);
    const decrypted = await passes(async () => hex(await subtle.decrypt(algorithm, imported, bytes(cipher + tag))));
    if (!valid) return decrypted === false;
    return decrypted === plain && hex(await subtle.encrypt(algorithm, imported, bytes(plain))) === cipher + tag;
  },
  async hmac([digest, key, message, mac]) {
    if (!kDigests[digest]) return undefined;
    const imported = await subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: kDigests[digest] }, false, ['sign', 'verify']);
    const signature = await subtle.sign('HMAC', imported, bytes(message));
    return hex(signature).startsWith(mac) && subtle.verify('HMAC', imported, signature, bytes(message));
  },
  async hash([digest, message, expected]) {
    const algorithm = digest.startsWith('shake') ? { name: kDigests[digest], outputLength: expected.length * 4 } : kDigests[digest];
    return hex(await subtle.digest(algorithm, bytes(message))) === expected;
  },
  async pbkdf2([digest, password, salt, iterations, key]) {
    if (!kDigests[digest]) return undefined;
    const imported = await subtle.importKey('raw', Buffer.from(password), 'PBKDF2', false, ['deriveBits']);
    return hex(await subtle.deriveBits({ name: 'PBKDF2', hash: kDigests[digest], salt: bytes(salt), iterations }, imported,
                                       key.length * 4)) === key;
  },
  async ecdsa([crv, digest, x, y, message, r, s, valid]) {
    if (crv === 'P-224' || !kDigests[digest]) return undefined;
    const size = Math.ceil(Number(crv.slice(2)) / 8) * 2;
    const jwk = { kty: 'EC', crv, x: base64url(x.padStart(size, '0')), y: base64url(y.padStart(size, '0')) };
    return valid === await passes(async () => {
      const key = await subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: crv }, true, ['verify']);
      return subtle.verify({ name: 'ECDSA', hash: kDigests[digest] }, key, bytes(r.padStart(size, '0') + s.padStart(size, '0')), bytes(message));
    });
  },
  async eddsa([name, key, context, message, signature, valid]) {
    const algorithm = name === 'ed25519' ? 'Ed25519' : { name: 'Ed448', context: bytes(context) };
    return valid === await passes(async () => subtle.verify(
      algorithm, await subtle.importKey('raw', bytes(key), algorithm.name ?? algorithm, true, ['verify']), bytes(signature), bytes(message)));
  },
  async eddsaSign([name, key, publicKey, message, signature]) {
    const algorithm = name === 'ed25519' ? 'Ed25519' : 'Ed448';
    const jwk = { kty: 'OKP', crv: algorithm, d: base64url(key), x: base64url(publicKey) };
    const imported = await subtle.importKey('jwk', jwk, algorithm, true, ['sign']);
    return hex(await subtle.sign(algorithm, imported, bytes(message))) === signature;
  },
  async rsa([padding, digest, saltLength, n, e, message, signature, valid]) {
    if (!kDigests[digest]) return undefined;
    const name = padding === 'pss' ? 'RSA-PSS' : 'RSASSA-PKCS1-v1_5';
    return valid === await passes(async () => {
      const jwk = { kty: 'RSA', n: base64url(n), e: base64url(e) };
      const key = await subtle.importKey('jwk', jwk, { name, hash: kDigests[digest] }, true, ['verify']);
      return subtle.verify({ name, saltLength }, key, bytes(signature), bytes(message));
    });
  },
  async xdh([name, secret, publicKey, expected, valid]) {
    const algorithm = name === 'x25519' ? 'X25519' : 'X448';
    const found = await passes(async () => {
      const key = await subtle.importKey('pkcs8', Buffer.concat([
        bytes(name === 'x25519' ? '302e020100300506032b656e04220420' : '3046020100300506032b656f043a0438'), bytes(secret)]),
      algorithm, false, ['deriveBits']);
      const other = await subtle.importKey('raw', bytes(publicKey), algorithm, true, []);
      return hex(await subtle.deriveBits({ name: algorithm, public: other }, key, null));
    });
    return valid ? found === expected : found !== expected;
  },
  async mlkemKeys([name, seed, digest]) {
    const key = await subtle.importKey('raw-seed', bytes(seed), name.toUpperCase(), true, ['decapsulateBits']);
    const publicKey = await subtle.getPublicKey(key, ['encapsulateBits']);
    const { sharedKey, ciphertext } = await subtle.encapsulateBits(name.toUpperCase(), publicKey);
    return hex(await subtle.digest('SHA-256', await subtle.exportKey('raw-public', publicKey))) === digest &&
      hex(await subtle.decapsulateBits(name.toUpperCase(), key, ciphertext)) === hex(sharedKey);
  },
  async mldsaKeys([name, seed, digest]) {
    const algorithm = name.toUpperCase();
    const key = await subtle.importKey('raw-seed', bytes(seed), algorithm, true, ['sign']);
    const publicKey = await subtle.getPublicKey(key, ['verify']);
    const signature = await subtle.sign(algorithm, key, bytes(seed));
    return hex(await subtle.digest('SHA-256', await subtle.exportKey('raw-public', publicKey))) === digest &&
      subtle.verify(algorithm, publicKey, signature, bytes(seed));
  },
};

(async () => {
  for (const name of Object.keys(checks)) {
    let count = 0;
    const wrong = [];
    for (const [index, one] of vectors[name].entries()) {
      try {
        const result = await checks[name](one);
        if (result === undefined) continue;
        count++;
        if (!result) wrong.push(`${index} ${one[0]}`);
      } catch (error) {
        wrong.push(`${index} ${one[0]} ${error.name} ${error.message}`);
      }
    }
    console.log(name, count, wrong);
  }
})();
