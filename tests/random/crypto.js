'use strict';
// Random programs of node:crypto. Every program makes a few operations with random algorithms, inputs and options, many
// of them wrong, and prints results and errors. Only what has the same result every time: no random keys, no ECDSA.

const crypto = require('node:crypto');
const { Random } = require('./random.js');

const kRsaKey = crypto.createPrivateKey({ type: 'pkcs8', format: 'der', key: Buffer.from([
  'MIICeQIBADANBgkqhkiG9w0BAQEFAASCAmMwggJfAgEAAoGBAON6GP9Rik4OSZ8XlTcRWfXd/xZaBxqoO+NiXfMkpAch7k6+5XdrnblGA6/R',
  'BLGt0Pg5FAQn8Hxr5f+dPOGMDmV6PY1RVRhSRJB2W4lgoLjy60Anq7Wzrybvv+eaau7hqEmY3BLsSYiLWa/kJaOH63Js5VviWSXhGTbDA2iW',
  'eBHfAgMBAAECgYEAzZeswBWSSrnfEErgMcUc6Xqa8jir8wvaFMjy4K5dEZU5LTKbcjNxeeItstnWxD+0fqQX0ynF0K40UbJrM+7BkoFhSmfz',
  'DA/FahAM+Me+FGhIMnw3noiDZdnp04WBVrudIUjY+0kgL8x3Aa4vXdCOohQTN7g+rnwybViqJBzhIQECQQD4pNOlyRRbCiGhCzoUfoKZ7cN4',
  'HSYLlnK7P9Nocvwe+vdRyOz1TBAgVgsTFIvdaEFizbmJuYYhtEkk8U7XicwrAkEA6jT1Gckyj9cE8C7wvxp74wgot2WB9shs/YaozilWxGOe',
  'dQQxkr1T/U9fgQ24ptzevLBFN+MWS8S7Oh0txP5THQJBAKVmoBRMqunU14IVwdEYRzC2Za1lVoWm0zOUxcFZnDXPpO4Wxup2atPX6Q4MQO5M',
  'CBL930qqy3toPrAAhf4DgHkCQQDKCIDei5cYSe2ym2uGDvyLrkAhZGkmT2LlmMIJhdOZei3413NEGBpZy5yhIQsGtkVWE+DCAxz6o2y3BvCy',
  'nIlpAkEAo4QbJSMpR0h4bFZSQlGQFmqOWy/jV7HpDETYnEAZmYKCDFXvWapxqvuGy2X3rJVTLWNnAL8k8HR9pdZ9BgOUww==',
].join(''), 'base64') });

// PKCS#8 of keys that are 32 bytes and nothing else.
const kPrefixes = { ed25519: '302e020100300506032b657004220420', x25519: '302e020100300506032b656e04220420' };

const kHashes = [...crypto.getHashes(), 'nothing', '', 'SHA-256', 'Sha256', 'dss1', 'sha2-512/224'];
const kUsualHashes = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-256', 'ripemd160', 'blake2b512', 'blake2s256'];
const kCiphers = [...crypto.getCiphers(), 'nothing', 'AES-128-CBC', 'aes128', 'id-aes256-GCM', ''];
const kEncodings = ['hex', 'base64', 'base64url', 'latin1', 'buffer', undefined, 'utf8', 'ucs2', 'nothing'];
const kCurves = ['prime256v1', 'secp384r1', 'secp521r1', 'secp256k1', 'P-256', 'nothing', 'brainpoolP256r1'];

function show(value) {
  if (value instanceof ArrayBuffer) return `ArrayBuffer ${Buffer.from(value).toString('hex')}`;
  if (ArrayBuffer.isView(value)) return `${value.constructor.name} ${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}`;
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return `[${value.map(show).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.keys(value).map((key) => `${key}: ${show(value[key])}`).join(', ')}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

function showError(error) {
  if (!(error instanceof Error)) return `threw ${show(error)}`;
  const { name, code, message, library, reason, opensslErrorStack } = error;
  return `${name} ${show({ code, message, library, reason, opensslErrorStack })}`;
}

class Program {
  constructor(seed) {
    this.random = new Random(seed);
  }

  bytes(size) {
    const bytes = Buffer.alloc(size);
    for (let i = 0; i < size; i++) bytes[i] = this.random.below(256);
    return bytes;
  }

  someBytes() {
    return this.bytes(this.random.pick([0, 1, 5, 8, 15, 16, 17, 31, 32, 64, 100, 128, 200, 600]));
  }

  // Bytes in one of the forms that Node takes, sometimes in one that it does not.
  data() {
    const { random } = this;
    const bytes = this.someBytes();
    switch (random.below(12)) {
      case 0: return bytes.toString('latin1');
      case 1: return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      case 2: return new Uint8Array(bytes).buffer;
      case 3: return bytes.length % 2 ? bytes : new Uint16Array(new Uint8Array(bytes).buffer);
      case 4: return random.chance(20) ? random.pick([undefined, null, 5, {}, [], true, Symbol.iterator, 10n]) : bytes;
      default: return bytes;
    }
  }

  hashName() {
    return this.random.chance(60) ? this.random.pick(kUsualHashes) : this.random.pick(kHashes);
  }

  // A number that is mostly right.
  number(usual) {
    return this.random.chance(8) ?
      this.random.pick([-1, 0, 1.5, NaN, Infinity, 2 ** 31, 2 ** 32, 2 ** 53, '5', null, undefined, {}, 1n]) : usual;
  }

  // ---- Digests ----

  hash() {
    const { random } = this;
    const options = random.chance(30) ? { outputLength: this.number(random.below(80)) } : undefined;
    const hash = crypto.createHash(this.hashName(), options);
    for (let i = random.below(4); i > 0; i--) hash.update(this.data(), random.pick([undefined, undefined, 'hex', 'latin1']));
    const copy = random.chance(20) ? hash.copy() : undefined;
    const results = [hash.digest(random.pick(kEncodings))];
    if (copy) results.push(copy.update('more').digest('hex'));
    if (random.chance(5)) results.push(hash.update('late'));
    if (random.chance(5)) results.push(hash.digest());
    return results;
  }

  oneShot() {
    const { random } = this;
    const options = random.pick([undefined, ...kEncodings, { outputLength: this.number(random.below(70)) }]);
    return crypto.hash(this.hashName(), this.data(), options);
  }

  hmac() {
    const { random } = this;
    const key = random.chance(20) ? crypto.createSecretKey(this.someBytes()) : this.data();
    const hmac = crypto.createHmac(this.hashName(), key);
    for (let i = random.below(3); i > 0; i--) hmac.update(this.data());
    const results = [hmac.digest(random.pick(kEncodings))];
    if (random.chance(10)) results.push(hmac.digest());
    return results;
  }

  // ---- Ciphers ----

  cipher() {
    const { random } = this;
    const name = random.pick(kCiphers);
    const info = crypto.getCipherInfo(name);
    const key = this.bytes(random.chance(5) ? random.below(40) : info?.keyLength ?? 16);
    const iv = random.chance(4) ? null : this.bytes(random.chance(10) ? random.below(20) : info?.ivLength ?? 0);
    const text = this.someBytes();
    const options = random.chance(85) && /ccm|ocb|gcm|poly|siv/i.test(name) ?
      { authTagLength: this.number(random.pick([16, 16, 16, 12, 8, 4, 3, 17])) } : undefined;
    const isAuthenticated = /ccm|ocb|gcm|poly|siv/i.test(name);
    const aad = isAuthenticated && random.chance(50) ? this.someBytes() : undefined;
    const padding = random.chance(15);
    const aadOptions = random.chance(90) ? { plaintextLength: text.length } : undefined;
    const cipher = crypto.createCipheriv(name, key, iv, options);
    const results = [];
    if (padding) cipher.setAutoPadding(false);
    if (aad) cipher.setAAD(aad, aadOptions);
    const cut = /ccm|wrap|siv/i.test(name) ? text.length : random.below(text.length + 1);
    const secret = [cipher.update(text.subarray(0, cut))];
    if (cut < text.length) secret.push(cipher.update(text.subarray(cut)));
    secret.push(cipher.final());
    results.push(Buffer.concat(secret));
    const tag = isAuthenticated ? cipher.getAuthTag() : undefined;
    results.push(tag);
    this.print('encrypted', results);
    const decipher = crypto.createDecipheriv(name, key, iv, options);
    if (padding) decipher.setAutoPadding(false);
    const wrong = random.chance(15);
    if (tag) {
      if (wrong) tag[0] ^= 1;
      decipher.setAuthTag(random.chance(5) ? tag.subarray(1) : tag);
    }
    if (aad) decipher.setAAD(aad, aadOptions);
    const input = results[0];
    if (wrong && !tag && input.length > 0) input[input.length - 1] ^= 1;
    const plain = [decipher.update(input)];
    plain.push(decipher.final());
    return Buffer.concat(plain).equals(text);
  }

  // ---- Derivation ----

  pbkdf2() {
    return crypto.pbkdf2Sync(this.data(), this.data(), this.number(1 + this.random.below(20)),
                             this.smallLength(), this.hashName());
  }

  // Never so large that it takes memory.
  smallLength() {
    const length = this.number(this.random.below(100));
    return length === 2 ** 31 || length === 2 ** 32 || length === Infinity ? 2 ** 53 : length;
  }

  scrypt() {
    const { random } = this;
    const options = random.chance(80) ? {
      N: this.number(random.pick([2, 4, 16, 64, 3])), r: this.number(1 + random.below(8)), p: this.number(1 + random.below(3)),
    } : { cost: 16, blockSize: 8, parallelization: 1, maxmem: this.number(random.pick([1000, 1e6])) };
    return crypto.scryptSync(this.data(), this.data(), this.smallLength(), options);
  }

  hkdf() {
    return crypto.hkdfSync(this.hashName(), this.data(), this.data(), this.data(), this.smallLength());
  }

  argon2() {
    const { random } = this;
    return crypto.argon2Sync(random.pick(['argon2d', 'argon2i', 'argon2id', 'argon2x']), {
      message: this.data(), nonce: this.bytes(random.pick([8, 16, 16, 7])), parallelism: 1 + random.below(2),
      tagLength: random.pick([4, 16, 32, 64, 3]), memory: random.pick([8, 16, 32, 7]), passes: random.pick([1, 2, 3, 0]),
      secret: random.chance(30) ? this.someBytes() : undefined,
      associatedData: random.chance(30) ? this.someBytes() : undefined,
    });
  }

  // ---- Keys ----

  edwardsKey(type = 'ed25519') {
    return crypto.createPrivateKey({
      key: Buffer.concat([Buffer.from(kPrefixes[type], 'hex'), this.bytes(32)]), type: 'pkcs8', format: 'der',
    });
  }

  curveKey(curve) {
    const ecdh = crypto.createECDH(curve);
    ecdh.setPrivateKey(this.bytes(this.random.chance(90) ? 32 : this.random.below(70)));
    return ecdh;
  }

  signature() {
    const { random } = this;
    const data = this.data();
    if (random.chance(40)) {
      const key = this.edwardsKey();
      const signature = crypto.sign(random.chance(90) ? null : this.hashName(), data, key);
      return [signature, crypto.verify(null, data, crypto.createPublicKey(key), signature)];
    }
    const hash = this.hashName();
    const options = { key: kRsaKey, padding: this.number(crypto.constants.RSA_PKCS1_PADDING) };
    if (random.chance(50)) return crypto.sign(hash, data, options);
    const signature = crypto.createSign(hash).update(data).sign(options, random.pick(kEncodings));
    return [signature, crypto.createVerify(hash).update(data).verify(options, signature, 'hex')];
  }

  agreement() {
    const { random } = this;
    if (random.chance(30)) {
      const [a, b] = [this.edwardsKey('x25519'), this.edwardsKey(random.pick(['x25519', 'x25519', 'ed25519']))];
      return crypto.diffieHellman({ privateKey: a, publicKey: crypto.createPublicKey(b) });
    }
    const curve = random.pick(kCurves);
    const [a, b] = [this.curveKey(curve), this.curveKey(curve)];
    const form = random.pick(['compressed', 'uncompressed', 'hybrid', undefined, 'nothing']);
    const point = a.getPublicKey(undefined, form);
    if (random.chance(10)) point[random.below(point.length)] ^= 1;
    return [point, b.computeSecret(point), crypto.ECDH.convertKey(point, curve, undefined, 'hex', 'compressed')];
  }

  keyFormats() {
    const { random } = this;
    const key = random.pick([kRsaKey, this.edwardsKey(), this.edwardsKey('x25519')]);
    const half = random.chance(50) ? key : crypto.createPublicKey(key);
    const type = random.pick(['pkcs8', 'pkcs1', 'spki', 'sec1', undefined, 'nothing']);
    const format = random.pick(['pem', 'der', 'jwk', 'raw-public', 'raw-private', 'nothing', undefined]);
    const exported = half.export({ type, format });
    this.print('exported', exported);
    if (random.chance(30) && Buffer.isBuffer(exported) && exported.length > 0) exported[random.below(exported.length)] ^= 1 << random.below(8);
    const options = { key: exported, format, type, asymmetricKeyType: key.asymmetricKeyType };
    const again = half.type === 'private' ? crypto.createPrivateKey(options) : crypto.createPublicKey(options);
    return [again.equals(half), again.asymmetricKeyType, again.asymmetricKeyDetails];
  }

  // Keys that are broken, in text or bytes.
  brokenKey() {
    const { random } = this;
    const der = kRsaKey.export({ type: random.pick(['pkcs8', 'pkcs1']), format: 'der' });
    for (let i = random.below(4); i > 0; i--) der[random.below(random.pick([30, der.length]))] = random.below(256);
    const cut = random.chance(30) ? der.subarray(0, random.below(der.length)) : der;
    const key = random.chance(50) ? { key: cut, format: 'der', type: random.pick(['pkcs8', 'pkcs1', 'sec1']) } :
      `-----BEGIN ${random.pick(['', 'RSA ', 'EC ', 'X'])}PRIVATE KEY-----\n${cut.toString('base64')}\n-----END PRIVATE KEY-----`;
    return crypto.createPrivateKey(key).asymmetricKeyDetails;
  }

  rsaCipher() {
    const { random } = this;
    const text = this.bytes(random.pick([0, 10, 60, 117, 128, 129]));
    const padding = random.pick([crypto.constants.RSA_NO_PADDING, crypto.constants.RSA_PKCS1_PADDING, 99]);
    const secret = crypto.privateEncrypt({ key: kRsaKey, padding }, text);
    return [secret, crypto.publicDecrypt({ key: kRsaKey, padding }, secret)];
  }

  info() {
    const { random } = this;
    const options = random.chance(50) ? { keyLength: this.number(random.below(40)), ivLength: this.number(random.below(20)) } : undefined;
    return crypto.getCipherInfo(random.chance(80) ? random.pick(kCiphers) : random.below(1200), options);
  }

  print(what, value) {
    console.log(what, show(value));
  }

  run() {
    for (let i = 2 + this.random.below(6); i > 0; i--) {
      const action = this.random.pick(Program.actions);
      crypto.getFips(); // empties Node's queue of OpenSSL's errors: else an old one is taken for that of the next failure
      try {
        this.print(action, this[action]());
      } catch (error) {
        console.log(action, showError(error));
      }
    }
  }
}

Program.actions = ['hash', 'hash', 'oneShot', 'hmac', 'cipher', 'cipher', 'cipher', 'pbkdf2', 'scrypt', 'hkdf', 'argon2', 'signature',
  'agreement', 'keyFormats', 'brokenKey', 'rsaCipher', 'info'];

process.removeAllListeners('warning');
process.on('warning', () => {});

const first = Number(process.argv[2]);
const count = Number(process.argv[3]);
for (let seed = first; seed < first + count; seed++) {
  console.log(`# seed ${seed}`);
  new Program(seed).run();
}
