'use strict';
// The decoders of node:zlib and node:crypto under damaged files of tests/fuzz/corpus: no crash, only errors that say
// something, the same outcome each time, in one call and in pieces, and bounded memory.
//     rondo corpus_check.js --seconds=N --seed=N      from that seed on
//     rondo corpus_check.js --once                    the corpus as it is
// Found crashes end the process: the last line on standard error names seed and file.

const assert = require('node:assert');
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const tls = require('node:tls');
const { parseArgs } = require('node:util');
const zlib = require('node:zlib');
const { Random } = require('./random.js');

const kCorpus = path.join(__dirname, '../fuzz/corpus');
const kMostOutput = 1 << 19; // bombs end here
const kMostMemory = 400 << 20; // above what the process has after the corpus
const kPassphrase = 'secret';
const options = { maxOutputLength: kMostOutput };

const describe = (key) => `${key.type} ${key.asymmetricKeyType} ${JSON.stringify(key.asymmetricKeyDetails, (_, value) => {
  return typeof value === 'bigint' ? `${value}` : value;
})}`;

function useKey(key) {
  // What was accepted can be written, and read again.
  const again = key.type === 'private' ? crypto.createPrivateKey(key.export({ format: 'pem', type: 'pkcs8' })) :
    crypto.createPublicKey(key.export({ format: 'pem', type: 'spki' }));
  assert.ok(again.equals(key), 'a key that was written and read is another one');
  return describe(key);
}

function describeCertificate(input) {
  const certificate = new crypto.X509Certificate(input);
  const { subject, issuer, subjectAltName, infoAccess, keyUsage, serialNumber, validFrom, validTo, ca, fingerprint } = certificate;
  const legacy = certificate.toLegacyObject();
  let key;
  try {
    key = describe(certificate.publicKey);
  } catch (error) {
    key = error.code;
  }
  return [subject, issuer, subjectAltName, infoAccess, keyUsage, serialNumber, validFrom, validTo, ca, fingerprint, key, certificate.raw.length,
    Object.keys(legacy).length, certificate.checkHost('example.org'), certificate.checkIP('127.0.0.1'), certificate.checkEmail('a@b.c'),
    certificate.checkIssued(certificate)].join('|');
}

const decompress = (names) => names.map((name) => [`${name}Sync`, (input) => zlib[`${name}Sync`](input, options)]);
const privateKey = (key) => useKey(crypto.createPrivateKey({ passphrase: kPassphrase, ...key }));
const publicKey = (key) => useKey(crypto.createPublicKey(key));

// Of each folder of the corpus: [name, what decodes]. Files that no decoder accepts are called refused*.
const decoders = {
  deflate: [...decompress(['gunzip', 'unzip', 'inflate', 'inflateRaw']),
            ['dictionary', (input) => zlib.inflateSync(input, { ...options, dictionary: Buffer.from('dictionary') })]],
  brotli: decompress(['brotliDecompress']),
  zstd: decompress(['zstdDecompress']),
  pem: [['private', (input) => privateKey({ key: input })], ['public', (input) => publicKey({ key: input })]],
  der: [['pkcs8', (key) => privateKey({ key, format: 'der', type: 'pkcs8' })], ['pkcs1', (key) => privateKey({ key, format: 'der', type: 'pkcs1' })],
        ['sec1', (key) => privateKey({ key, format: 'der', type: 'sec1' })], ['spki', (key) => publicKey({ key, format: 'der', type: 'spki' })],
        ['pkcs1 public', (key) => publicKey({ key, format: 'der', type: 'pkcs1' })]],
  jwk: [['private', (input) => describe(crypto.createPrivateKey({ key: JSON.parse(input), format: 'jwk' }))],
        ['public', (input) => describe(crypto.createPublicKey({ key: JSON.parse(input), format: 'jwk' }))]],
  x509: [['certificate', describeCertificate], ['key', (input) => describe(crypto.createPublicKey(input))]],
  pfx: [['pfx', (input) => Object.keys(tls.createSecureContext({ pfx: input, passphrase: 'sample' })).join()]],
  spkac: [['spkac', (input) => `${crypto.Certificate.verifySpkac(input)} ${crypto.Certificate.exportPublicKey(input)} ` +
    `${crypto.Certificate.exportChallenge(input)}`]],
};
const streams = {
  deflate: [zlib.createGunzip, zlib.createUnzip, zlib.createInflate, zlib.createInflateRaw],
  brotli: [zlib.createBrotliDecompress],
  zstd: [zlib.createZstdDecompress],
};

const kNumbers = [0, 1, 0x7f, 0x80, 0x81, 0x82, 0x84, 0xff];

function damage(input, other, random) {
  let bytes = Buffer.from(input);
  for (let count = random.below(5); count > 0 && bytes.length > 0; count--) {
    const at = random.below(bytes.length);
    const size = 1 + random.below(16);
    switch (random.below(8)) {
      case 0: bytes[at] ^= 1 << random.below(8); break;
      case 1: bytes[at] = random.pick(kNumbers); break;
      case 2: bytes = bytes.subarray(0, at); break;
      case 3: bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(size, random.below(256)), bytes.subarray(at)]); break;
      case 4: bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]); break;
      case 5: bytes.fill(random.pick(kNumbers), at, Math.min(at + size, bytes.length)); break;
      case 6: bytes = Buffer.concat([bytes.subarray(0, at), other.subarray(random.below(other.length + 1))]); break;
      default: bytes = Buffer.concat([bytes, bytes.subarray(at)]);
    }
  }
  return bytes;
}

const kRefused = 'refused'; // by which error may depend on how the input was cut
const kTooLarge = 'too large';

// A text that says what came of it.
function outcome(decode, input) {
  try {
    const result = decode(input);
    return typeof result === 'string' ? result : `${result.length} ${crypto.hash('sha1', result)}`;
  } catch (error) {
    assert.ok(error instanceof Error && !(error instanceof assert.AssertionError), error);
    assert.notStrictEqual(error.message, '');
    return error.code === 'ERR_BUFFER_TOO_LARGE' ? kTooLarge : kRefused;
  }
}

// Of 'data', 'end' or 'error', with what had come until then.
function inPieces(make, input, random) {
  return new Promise((resolve) => {
    const stream = make();
    const hash = crypto.createHash('sha1');
    let total = 0;
    const done = (how) => {
      stream.destroy();
      resolve(how);
    };
    stream.on('data', (piece) => {
      total += piece.length;
      if (total > kMostOutput) return done(kTooLarge);
      hash.update(piece);
    });
    stream.on('error', () => done(kRefused));
    stream.on('end', () => done(`${total} ${hash.digest('hex')}`));
    for (let at = 0; at < input.length;) {
      const end = at + 1 + random.below(400);
      stream.write(input.subarray(at, end));
      at = end;
    }
    stream.end();
  });
}

async function tryInput(folder, input, random) {
  let accepted = 0;
  for (const [name, decode] of decoders[folder]) {
    const first = outcome(decode, input);
    assert.strictEqual(outcome(decode, input), first, `${name}: the second time`);
    if (first !== kRefused && first !== kTooLarge) accepted++;
  }
  const makers = streams[folder];
  if (makers === undefined || input.length === 0 || random.chance(70)) return accepted;
  const which = random.below(makers.length);
  const whole = outcome(decoders[folder][which][1], input);
  const pieces = await inPieces(makers[which], input, random);
  // A stream may find what is wrong before or after it has given too much.
  if (whole === kTooLarge) assert.ok(pieces === kTooLarge || pieces === kRefused, `${folder}: ${pieces}`);
  else assert.strictEqual(pieces, whole, `${folder}: in pieces`);
  return accepted;
}

const files = Object.keys(decoders).flatMap((folder) => fs.readdirSync(path.join(kCorpus, folder)).sort().map((name) => {
  return { folder, name, input: fs.readFileSync(path.join(kCorpus, folder, name)) };
}));

async function main({ seconds, seed, once, 'no-address-limit': isSanitized }) {
  let accepted = 0;
  let current = 'the corpus';
  process.on('exit', (code) => {
    if (code !== 0) console.error(`corpus_check: ${current}`);
  });
  for (const { folder, name, input } of files) {
    current = `${folder}/${name}`;
    const count = await tryInput(folder, input, new Random(1));
    assert.strictEqual(count > 0, !name.startsWith('refused'), current);
    accepted += count;
  }
  let tried = files.length;
  const before = process.memoryUsage().rss;
  const end = Date.now() + 1000 * Number(seconds);
  let number = Number(seed);
  for (; !once && Date.now() < end; number++) {
    const random = new Random(number);
    const { folder, name, input } = random.pick(files);
    const other = random.pick(files.filter((file) => file.folder === folder)).input;
    current = `seed ${number}, ${folder}/${name}`;
    accepted += await tryInput(folder, damage(input, other, random), random);
    tried++;
    if (number % 1000 === 0 && !isSanitized) {
      const grown = process.memoryUsage().rss - before;
      assert.ok(grown < kMostMemory, `${grown >> 20} MiB more memory`);
    }
  }
  console.log(`${tried} inputs, ${accepted} times accepted, seeds ${seed} to ${number - 1}`);
}

process.removeAllListeners('warning');
process.on('warning', () => {});
main(parseArgs({
  options: {
    'seconds': { type: 'string', default: '20' }, 'seed': { type: 'string', default: '1' }, 'once': { type: 'boolean' },
    'no-address-limit': { type: 'boolean' },
  },
}).values);
