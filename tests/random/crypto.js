'use strict';
// Random calls of node:crypto and Web Crypto whose result does not depend on chance: digests, ciphers, derivations, signatures without
// randomness, exports and imports of keys; with arguments that are right, nearly right and wrong. Printed is the result, or
// the error.

const crypto = require('node:crypto');
const { Random } = require('./random.js');

const kDigests = ['sha1', 'SHA256', 'sha512', 'md5', 'sha3-256', 'shake128', 'shake256', 'blake2b512', 'ripemd160', 'none', 'sha512-256'];
const kCiphers = ['aes-128-cbc', 'aes-256-gcm', 'AES-192-CTR', 'aes-128-ccm', 'aes-256-ocb', 'chacha20-poly1305', 'id-aes128-wrap', 'aes128-wrap',
  'aes-128-ecb', 'aria-128-gcm', 'camellia-256-cfb8', 'des-ede3-cbc', 'none'];
const kEncodings = [undefined, 'hex', 'base64', 'base64url', 'latin1', 'buffer', 'utf8', 'wrong'];

// Keys of all kinds, always the same.
const seedOf = (name, size) => crypto.hkdfSync('sha256', name, '', 'keys', size);
const pkcs8 = (prefix, name, size) => Buffer.concat([Buffer.from(prefix, 'hex'), Buffer.from(seedOf(name, size))]);
const kEd25519 = crypto.createPrivateKey({ key: pkcs8('302e020100300506032b657004220420', 'ed', 32), format: 'der', type: 'pkcs8' });
const kX25519 = crypto.createPrivateKey({ key: pkcs8('302e020100300506032b656e04220420', 'x', 32), format: 'der', type: 'pkcs8' });
const kEd448 = crypto.createPrivateKey({ key: pkcs8('3047020100300506032b6571043b0439', 'ed448', 57), format: 'der', type: 'pkcs8' });
const kSecret = crypto.createSecretKey(Buffer.from(seedOf('secret', 32)));
const kKeys = [kEd25519, kX25519, kEd448, kSecret, crypto.createPublicKey(kEd25519), crypto.createPublicKey(kX25519)];

function show(value) {
  if (value === undefined || value === null) return String(value);
  if (Buffer.isBuffer(value)) return `B${value.toString('hex').slice(0, 200)}:${value.length}`;
  if (value instanceof ArrayBuffer) return `A${Buffer.from(value).toString('hex').slice(0, 200)}:${value.byteLength}`;
  if (value instanceof crypto.KeyObject) {
    return `${value.type} ${value.asymmetricKeyType ?? value.symmetricKeySize} ${JSON.stringify(value.asymmetricKeyDetails)}`;
  }
  if (typeof value === 'object') return JSON.stringify(value);
  return `${typeof value} ${String(value).slice(0, 300)}`;
}

class Program {
  constructor(seed) {
    this.random = new Random(seed);
  }

  bytes(most = 70) {
    const { random } = this;
    const bytes = Buffer.alloc(random.below(most));
    for (let i = 0; i < bytes.length; i++) bytes[i] = random.below(256);
    return bytes;
  }

  // Mostly of the size that is right.
  sized(size) {
    const { random } = this;
    return Buffer.alloc(random.chance(85) ? size : random.below(40), random.below(256));
  }

  data() {
    const { random } = this;
    return random.pick([() => this.bytes(), () => this.bytes().toString('latin1'), () => new Uint16Array(this.bytes()), () => 5, () => undefined,
      () => new DataView(new ArrayBuffer(9), 2), () => this.bytes(3000)])();
  }

  hash() {
    const { random } = this;
    const options = random.chance(30) ? { outputLength: random.pick([0, 1, 16, 32, 64, 100, -1, 1.5, NaN, '8', undefined]) } : undefined;
    const hash = crypto.createHash(random.pick(kDigests), options);
    for (let i = random.below(4); i > 0; i--) hash.update(this.data(), random.pick(kEncodings));
    const copy = random.chance(30) ? hash.copy() : hash;
    return copy.digest(random.pick(kEncodings));
  }

  oneShot() {
    return crypto.hash(this.random.pick(kDigests), this.data(), this.random.pick(kEncodings));
  }

  hmac() {
    const hmac = crypto.createHmac(this.random.pick(kDigests), this.random.pick([this.bytes(), 'key', kSecret, kEd25519, undefined]));
    for (let i = this.random.below(3); i > 0; i--) hmac.update(this.data());
    return hmac.digest(this.random.pick(kEncodings));
  }

  cipher() {
    const { random } = this;
    const name = random.pick(kCiphers);
    const info = crypto.getCipherInfo(name) ?? { keyLength: 16, ivLength: 16 };
    const isTagged = /gcm|ccm|ocb|poly/.test(name);
    const options = isTagged && random.chance(80) ? { authTagLength: random.pick([16, 16, 16, 12, 8, 4, 5, 17]) } : undefined;
    const key = this.sized(info.keyLength);
    const iv = this.sized(info.ivLength ?? 0);
    const cipher = crypto.createCipheriv(name, key, iv, options);
    const text = this.bytes(100);
    if (isTagged && random.chance(50)) cipher.setAAD(this.bytes(20), random.chance(80) ? { plaintextLength: text.length } : undefined);
    if (random.chance(20)) cipher.setAutoPadding(random.chance(50));
    const out = [cipher.update(text), cipher.final()];
    const tag = isTagged ? cipher.getAuthTag() : undefined;
    const decipher = crypto.createDecipheriv(name, key, iv, options);
    if (tag !== undefined) {
      if (random.chance(20)) tag[0] ^= 1;
      decipher.setAuthTag(random.chance(90) ? tag : tag.subarray(1));
    }
    let back = 'none';
    try {
      back = Buffer.concat([decipher.update(Buffer.concat(out)), decipher.final()]).equals(text);
    } catch (error) {
      back = `${error.code} ${error.message}`;
    }
    return `${show(Buffer.concat(out))} ${show(tag)} ${back}`;
  }

  derive() {
    const { random } = this;
    switch (random.below(3)) {
      case 0: return crypto.pbkdf2Sync(this.data(), this.bytes(), random.pick([1, 2, 10, 0, -1, 1.5]), random.pick([0, 1, 20, 64, -1]), random.pick(kDigests));
      case 1: return crypto.hkdfSync(random.pick(kDigests), random.pick([this.bytes(), kSecret, 'key']), this.bytes(), this.bytes(), random.pick([0, 1, 50, 6000, -1]));
      default: return crypto.scryptSync(this.data(), this.bytes(), random.pick([0, 16, 64]), { N: random.pick([1, 2, 16, 15, 1024]), r: random.pick([1, 8, 0]), p: random.pick([1, 2, 0]) });
    }
  }

  sign() {
    const { random } = this;
    const key = random.pick(kKeys);
    const data = this.bytes();
    const signature = crypto.sign(random.pick([null, undefined, 'sha256', 'none']), data, key);
    if (random.chance(20)) signature[random.below(signature.length)] ^= 4;
    return `${show(signature)} ${crypto.verify(null, random.chance(80) ? data : this.bytes(), crypto.createPublicKey(key), signature)}`;
  }

  exported() {
    const { random } = this;
    const key = random.pick(kKeys);
    const format = random.pick(['pem', 'der', 'jwk', 'buffer', undefined, 'raw-public', 'raw-private', 'wrong']);
    const type = random.pick(['pkcs8', 'spki', 'sec1', 'pkcs1', undefined]);
    const result = key.export({ format, type });
    return show(result);
  }

  agree() {
    const { random } = this;
    return crypto.diffieHellman({ privateKey: random.pick(kKeys), publicKey: random.pick(kKeys) });
  }

  small() {
    const { random } = this;
    return random.pick([
      () => crypto.timingSafeEqual(this.bytes(3), this.bytes(3)),
      // Without lengths to test: Node leaves OpenSSL's error behind, for the next call to report.
      () => crypto.getCipherInfo(random.pick([...kCiphers, random.below(1300)])),
      () => crypto.checkPrimeSync(random.pick([7n, 8n, 2n ** 61n - 1n, -3n, Buffer.from([13]), 'x'])),
      () => kEd25519.equals(random.pick(kKeys)),
      () => crypto.createSecretKey(this.data()).export().length,
      () => crypto.randomBytes(random.pick([0, 5, -1, 'x', 2 ** 40])).length,
      () => crypto.randomInt(random.pick([1, 0, -5, 2 ** 48, 'a'])),
      () => crypto.createECDH(random.pick(['secp256k1', 'prime256v1', 'none'])).setPrivateKey(this.sized(32)).getPublicKey('hex', random.pick(['compressed', 'hybrid', undefined, 'x'])),
    ])();
  }

  async subtle() {
    const { random } = this;
    const { subtle } = crypto.webcrypto;
    // Nothing is encrypted: an error that an earlier call has left on a thread ends Node 26.10 with a failed assertion then.
    const name = random.pick(['AES-GCM', 'HMAC', 'HKDF', 'PBKDF2', 'AES-KW', 'none']);
    const usages = random.pick([['sign', 'verify'], ['deriveBits'], [], ['wrapKey', 'unwrapKey'], ['wrong']]);
    const key = await subtle.importKey('raw', this.sized(random.pick([16, 32, 24])), { name, hash: random.pick(['SHA-256', 'SHA-1', undefined, 'x']) }, random.chance(50), usages);
    const algorithm = {
      name, hash: 'SHA-256', salt: this.bytes(), info: this.bytes(), iterations: random.pick([1, 3, 0]),
    };
    switch (usages[0]) {
      case 'sign': return subtle.sign(name, key, this.bytes());
      case 'deriveBits': return subtle.deriveBits(algorithm, key, random.pick([128, 0, 7, 256, null]));
      default: return subtle.exportKey(random.pick(['raw', 'jwk', 'spki']), key);
    }
  }

  async run() {
    for (let i = 0; i < 25; i++) {
      const what = this.random.pick(['hash', 'oneShot', 'hmac', 'cipher', 'cipher', 'derive', 'sign', 'exported', 'agree', 'small', 'subtle']);
      // Node leaves errors in OpenSSL's queue, for the next call to report. This one takes them away.
      crypto.sign(null, Buffer.alloc(1), kEd25519);
      try {
        const result = await this[what]();
        console.log(what, typeof result === 'string' ? result : show(result));
      } catch (error) {
        console.log(what, error.name, error.code, String(error.message).split('\n', 1)[0]);
      }
    }
  }
}

process.removeAllListeners('warning');
(async () => {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    console.log(`# seed ${seed}`);
    await new Program(seed).run();
  }
})();
