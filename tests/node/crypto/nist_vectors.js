// rondo-test: option=--no-warnings
'use strict';
// Vectors of NIST's validation of algorithms (ACVP, public domain): what each primitive makes of valid, invalid and damaged
// input. The figures are how many cases of each there are and how many are as NIST says.
const crypto = require('node:crypto');
const vectors = require('./fixtures/nist_vectors.json');

const bytes = (hex) => Buffer.from(hex, 'hex');
const base64url = (hex) => bytes(hex.length % 2 === 0 ? hex : `0${hex}`).toString('base64url');
const passes = (run) => {
  try {
    return run();
  } catch {
    return false;
  }
};

// In pieces of 7 bytes.
function throughCipher(cipher, text) {
  const parts = [];
  for (let at = 0; at < text.length; at += 7) parts.push(cipher.update(text.subarray(at, at + 7)));
  parts.push(cipher.final());
  return Buffer.concat(parts).toString('hex');
}

function derLength(size) {
  if (size < 128) return [size];
  return size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
}
const der = (tag, ...parts) => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...derLength(content.length)]), content]);
};
// A number that DER would take for a negative one begins with a zero.
const derInteger = (hex) => der(2, bytes(hex.replace(/^(?:00)+(?=..)/, '').replace(/^(?=[89a-f])/, '00')));
const kKemOids = { 'ml-kem-512': 1, 'ml-kem-768': 2, 'ml-kem-1024': 3 };

function expandedKemKey(name, key) {
  const oid = Buffer.from([0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x04, kKemOids[name]]);
  const info = der(0x30, derInteger('00'), der(0x30, oid), der(4, der(4, bytes(key))));
  return crypto.createPrivateKey({ key: info, format: 'der', type: 'pkcs8' });
}

const raw = (asymmetricKeyType, format, hex) => ({ key: bytes(hex), format, asymmetricKeyType });

// Each returns whether the case is as it should be.
const checks = {
  ciphers([name, key, iv, plain, cipher]) {
    const encrypting = crypto.createCipheriv(name, bytes(key), bytes(iv)).setAutoPadding(false);
    const decrypting = crypto.createDecipheriv(name, bytes(key), bytes(iv)).setAutoPadding(false);
    return throughCipher(encrypting, bytes(plain)) === cipher && throughCipher(decrypting, bytes(cipher)) === plain;
  },
  aead([name, key, iv, aad, plain, cipher, tag, valid]) {
    const options = { authTagLength: tag.length / 2 };
    const decrypted = passes(() => {
      const decipher = crypto.createDecipheriv(name, bytes(key), bytes(iv), options).setAuthTag(bytes(tag));
      decipher.setAAD(bytes(aad), { plaintextLength: cipher.length / 2 });
      return decipher.update(cipher, 'hex', 'hex') + decipher.final('hex');
    });
    if (!valid) return decrypted === false;
    const encrypting = crypto.createCipheriv(name, bytes(key), bytes(iv), options);
    encrypting.setAAD(bytes(aad), { plaintextLength: plain.length / 2 });
    const encrypted = encrypting.update(plain, 'hex', 'hex') + encrypting.final('hex');
    return decrypted === plain && encrypted === cipher && encrypting.getAuthTag().toString('hex') === tag;
  },
  hmac([digest, key, message, mac]) {
    return crypto.createHmac(digest, bytes(key)).update(bytes(message)).digest('hex').startsWith(mac);
  },
  hash([digest, message, expected]) {
    const outputLength = expected.length / 2;
    const whole = crypto.hash(digest, bytes(message), { outputEncoding: 'hex', outputLength });
    const hash = crypto.createHash(digest, { outputLength });
    for (let at = 0; at < message.length; at += 62) hash.update(message.slice(at, at + 62), 'hex');
    return whole === expected && hash.digest('hex') === expected;
  },
  pbkdf2([digest, password, salt, rounds, key]) {
    return crypto.pbkdf2Sync(password, bytes(salt), rounds, key.length / 2, digest).toString('hex') === key;
  },
  ecdsa([crv, digest, x, y, message, r, s, valid]) {
    const key = { key: { kty: 'EC', crv, x: base64url(x), y: base64url(y) }, format: 'jwk' };
    // Node refuses P-224 as a JWK.
    if (crv === 'P-224') {
      Object.assign(key, { format: 'raw-public', asymmetricKeyType: 'ec', namedCurve: 'secp224r1', key: bytes(`04${x}${y}`) });
    }
    const size = Math.ceil(Number(crv.slice(2)) / 8) * 2;
    const fixed = bytes(r.padStart(size, '0') + s.padStart(size, '0'));
    const structure = der(0x30, derInteger(r), derInteger(s));
    const verified = passes(() => crypto.verify(digest, bytes(message), { dsaEncoding: 'ieee-p1363', key: crypto.createPublicKey(key) }, fixed));
    const again = passes(() => crypto.createVerify(digest).update(bytes(message)).verify(crypto.createPublicKey(key), structure));
    return verified === valid && again === valid;
  },
  eddsa([name, key, context, message, signature, valid]) {
    const publicKey = passes(() => crypto.createPublicKey(raw(name, 'raw-public', key)));
    return valid === passes(() => publicKey && crypto.verify(null, bytes(message), { key: publicKey, context: bytes(context) }, bytes(signature)));
  },
  eddsaSign([name, key, publicKey, message, signature]) {
    const privateKey = crypto.createPrivateKey(raw(name, 'raw-private', key));
    return crypto.createPublicKey(privateKey).export({ format: 'raw-public' }).toString('hex') === publicKey &&
      crypto.sign(null, bytes(message), privateKey).toString('hex') === signature;
  },
  rsa([padding, digest, saltLength, n, e, message, signature, valid]) {
    const key = crypto.createPublicKey({ key: { kty: 'RSA', n: base64url(n), e: base64url(e) }, format: 'jwk' });
    const options = padding === 'pss' ? { padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength } : {};
    return valid === passes(() => crypto.verify(digest, bytes(message), { key, ...options }, bytes(signature)));
  },
  dsa([digest, p, q, g, y, message, r, s, valid]) {
    const oid = bytes('06072a8648ce380401');
    const info = der(0x30, der(0x30, oid, der(0x30, derInteger(p), derInteger(q), derInteger(g))), der(3, Buffer.from([0]), derInteger(y)));
    const key = crypto.createPublicKey({ key: info, format: 'der', type: 'spki' });
    return valid === passes(() => crypto.verify(digest, bytes(message), key, der(0x30, derInteger(r), derInteger(s))));
  },
  ecdh([curve, secret, x, y, expected, valid]) {
    const ecdh = crypto.createECDH(curve === 'P-192' ? 'prime192v1' : curve);
    ecdh.setPrivateKey(bytes(secret));
    const size = expected.length;
    const found = passes(() => ecdh.computeSecret(`04${x.padStart(size, '0')}${y.padStart(size, '0')}`, 'hex', 'hex'));
    return valid ? found === expected : found !== expected;
  },
  xdh([name, secret, publicKey, expected, valid]) {
    const found = passes(() => crypto.diffieHellman({
      privateKey: crypto.createPrivateKey(raw(name, 'raw-private', secret)),
      publicKey: crypto.createPublicKey(raw(name, 'raw-public', publicKey)),
    }).toString('hex'));
    return valid ? found === expected : found !== expected;
  },
  dh([prime, generator, secret, publicKey, expected]) {
    const dh = crypto.createDiffieHellman(bytes(prime), bytes(generator));
    dh.setPrivateKey(bytes(secret));
    return dh.computeSecret(bytes(publicKey)).toString('hex') === expected;
  },
  mlkemKeys([name, seed, digest]) {
    const key = crypto.createPrivateKey(raw(name, 'raw-seed', seed));
    return crypto.hash('sha256', crypto.createPublicKey(key).export({ format: 'raw-public' })) === digest;
  },
  mlkem([name, key, ciphertext, shared]) {
    return crypto.decapsulate(expandedKemKey(name, key), bytes(ciphertext)).toString('hex') === shared;
  },
  mldsaKeys([name, seed, digest]) {
    const key = crypto.createPrivateKey(raw(name, 'raw-seed', seed));
    const publicKey = crypto.createPublicKey(key);
    return crypto.hash('sha256', publicKey.export({ format: 'raw-public' })) === digest &&
      crypto.verify(null, seed, publicKey, crypto.sign(null, seed, key)) && !crypto.verify(null, 'other', publicKey, crypto.sign(null, seed, key));
  },
  slhdsaKeys([name, secret, publicKey]) {
    const key = crypto.createPrivateKey(raw(name, 'raw-private', secret));
    return crypto.createPublicKey(key).export({ format: 'raw-public' }).toString('hex') === publicKey;
  },
};

for (const [name, cases] of Object.entries(vectors)) {
  const wrong = [];
  cases.forEach((one, index) => {
    try {
      if (!checks[name](one)) wrong.push(`${index} ${one[0]}`);
    } catch (error) {
      wrong.push(`${index} ${one[0]} ${error.code} ${error.message}`);
    }
  });
  console.log(name, cases.length, wrong);
}
