'use strict';
// Calls of crypto.subtle with right and wrong algorithms, usages, formats and lengths: what comes out, or the error. What is
// random in itself (generated keys) is described by its properties.

const { Random } = require('./random.js');

const { subtle } = globalThis.crypto;

const kHashes = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'MD5', 'sha-256', { name: 'SHA-512' }, {}, null,
  'SHA3-512', 'cSHAKE128', { name: 'cSHAKE256', outputLength: 256 }, { name: 'cSHAKE128', outputLength: 7 },
  { name: 'TurboSHAKE128', outputLength: 128, domainSeparation: 7 }, { name: 'KT128', outputLength: 128 }];
const kUsages = ['encrypt', 'decrypt', 'sign', 'verify', 'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey',
  'encapsulateBits', 'wrong'];
const kSeedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex'); // of PKCS#8, before the 32 bytes of Ed25519
const kP256 = { name: 'ECDSA', namedCurve: 'P-256' };
const kHmac256 = { name: 'HMAC', hash: 'SHA-256' };

function show(value) {
  if (value instanceof ArrayBuffer) return `${Buffer.from(value).toString('hex').slice(0, 80)} ${value.byteLength}`;
  if (value?.publicKey) return `${show(value.publicKey)} ${show(value.privateKey)}`;
  if (value?.algorithm) return JSON.stringify([value.type, value.extractable, value.algorithm, value.usages]);
  return JSON.stringify(value);
}

class Program {
  constructor(seed) {
    this.random = new Random(seed);
  }

  bytes(size) {
    return Buffer.from(Array.from({ length: size }, () => this.random.below(256)));
  }

  usages() {
    return kUsages.filter(() => this.random.chance(25));
  }

  algorithm() {
    const { random } = this;
    return random.pick([{ name: 'AES-GCM', length: random.pick([128, 192, 256, 64, 'x']) }, { name: 'AES-CBC', length: 128 },
      { name: 'AES-CTR', length: 256 }, { name: 'AES-KW', length: 128 }, { name: 'AES-OCB', length: 128 },
      { name: 'HMAC', hash: random.pick(kHashes), length: random.pick([undefined, 0, 8, 13, 512]) }, kHmac256,
      { name: 'ChaCha20-Poly1305' }, { name: 'KMAC128', length: 128 }, { name: 'KMAC256' }, { name: 'PBKDF2' }, { name: 'HKDF' },
      { name: 'Argon2id' }, { name: 'Ed25519' }, { name: 'X25519' },
      { name: 'ECDSA', namedCurve: random.pick(['P-256', 'P-384', 'P-521', 'K-256']) }, { name: 'ECDH', namedCurve: 'P-256' },
      'AES-GCM', { name: 'none' }, {}]);
  }

  digest() {
    return subtle.digest(this.random.pick(kHashes), this.bytes(this.random.below(80)));
  }

  importSecret() {
    const { random } = this;
    const format = random.pick(['raw', 'raw-secret', 'jwk', 'raw-seed', 'wrong']);
    const size = random.pick([0, 1, 16, 24, 32, 33, 64]);
    const data = format !== 'jwk' ? this.bytes(size) : {
      kty: random.pick(['oct', 'OKP', 'x']),
      k: random.pick([this.bytes(size).toString('base64url'), '!!', 5]),
      alg: random.pick([undefined, 'A128GCM', 'HS256', 'A256KW']),
      ext: random.pick([true, false, undefined]),
      key_ops: random.pick([undefined, ['encrypt'], ['sign', 'sign'], this.usages()]),
    };
    return subtle.importKey(format, data, this.algorithm(), random.chance(70), this.usages());
  }

  generate() {
    return subtle.generateKey(this.algorithm(), true, this.usages());
  }

  async encrypt() {
    const { random } = this;
    const name = random.pick(['AES-GCM', 'AES-CBC', 'AES-CTR', 'AES-OCB', 'ChaCha20-Poly1305', 'AES-KW']);
    const bits = this.bytes(name.startsWith('C') ? 32 : random.pick([16, 24, 32]));
    const parameters = {
      name, iv: this.bytes(random.pick([0, 1, 8, 12, 15, 16, 17])), counter: this.bytes(random.pick([16, 16, 15])),
      length: random.pick([0, 1, 64, 128, 129]), tagLength: random.pick([undefined, 32, 96, 104, 128, 127, 0]),
      additionalData: random.pick([undefined, this.bytes(5)]),
    };
    const data = this.bytes(random.below(70));
    const key = await subtle.importKey(random.pick(['raw', 'raw-secret']), bits, name, true,
      name === 'AES-KW' ? ['wrapKey'] : ['encrypt', 'decrypt']);
    const encrypted = await subtle.encrypt(parameters, key, data);
    const back = await subtle.decrypt(parameters, key, encrypted);
    return Buffer.from(back).equals(data) ? encrypted : 'something else came back';
  }

  async derive() {
    const { random } = this;
    const name = random.pick(['PBKDF2', 'HKDF']);
    const salt = this.bytes(random.below(20));
    const key = await subtle.importKey(random.pick(['raw', 'raw-secret']), this.bytes(random.below(50)), name, false, ['deriveBits']);
    return subtle.deriveBits({
      name, salt, info: salt, hash: random.pick(['SHA-1', 'SHA-256', 'SHA-512', 'SHA3-256', 'x']),
      iterations: random.pick([0, 1, 2, 1000]),
    }, key, random.pick([0, 8, 7, 128, 256, null, 512 * 40]));
  }

  async hmac() {
    const { random } = this;
    const algorithm = { name: 'HMAC', hash: random.pick(['SHA-1', 'SHA-256', 'SHA-384', 'SHA3-512']) };
    const data = this.bytes(random.below(80));
    const key = await subtle.importKey('raw', this.bytes(random.pick([1, 16, 64, 200])), algorithm, true, ['sign', 'verify']);
    const signature = await subtle.sign('HMAC', key, data);
    return await subtle.verify('HMAC', key, signature, data) ? signature : 'not verified';
  }

  async importPkcs8() {
    const { random } = this;
    const data = Buffer.concat([kSeedPrefix, this.bytes(32)]);
    if (random.chance(30)) data[random.below(data.length)] ^= 1 << random.below(8);
    const key = await subtle.importKey('pkcs8', data, random.pick(['Ed25519', 'X25519', kP256]), true,
      random.pick([['sign'], [], ['deriveBits'], ['verify']]));
    return subtle.exportKey(random.pick(['jwk', 'pkcs8', 'raw', 'spki']), key);
  }

  importJwk() {
    const { random } = this;
    const text = (size) => this.bytes(size).toString('base64url');
    return subtle.importKey('jwk', {
      kty: random.pick(['EC', 'OKP', 'RSA', 'AKP']), crv: random.pick(['P-256', 'Ed25519', 'X25519', 'P-999', undefined]),
      x: text(random.pick([32, 31, 33])), y: text(32), d: random.pick([undefined, text(32)]),
      alg: random.pick([undefined, 'ES256', 'EdDSA', 'Ed25519']), use: random.pick([undefined, 'sig', 'enc']),
      ext: random.pick([undefined, false, true]),
    }, random.pick([kP256, { name: 'ECDH', namedCurve: 'P-256' }, 'Ed25519', 'X25519', { name: 'ML-DSA-44' },
      { name: 'RSA-PSS', hash: 'SHA-256' }]), random.chance(50), this.usages());
  }

  async wrap() {
    const { random } = this;
    const wrapping = await subtle.importKey('raw', this.bytes(16), 'AES-KW', true, ['wrapKey', 'unwrapKey']);
    const key = await subtle.importKey('raw', this.bytes(random.pick([16, 24, 32, 8, 7])), kHmac256, random.chance(80), ['sign']);
    const wrapped = await subtle.wrapKey('raw', key, wrapping, 'AES-KW');
    return subtle.unwrapKey('raw', wrapped, wrapping, 'AES-KW', random.pick([kHmac256, 'AES-GCM']), true, this.usages());
  }

  async run() {
    const kinds = ['digest', 'importSecret', 'generate', 'encrypt', 'derive', 'hmac', 'importPkcs8', 'importJwk', 'wrap'];
    for (let i = 0; i < 15; i++) {
      const kind = this.random.pick(kinds);
      try {
        console.log(kind, show(await this[kind]()));
      } catch (error) {
        console.log(kind, error.name, error.code, error.message);
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
