'use strict';
// Hostile input to what decodes: a good input of some format, damaged at random (bits, cuts, insertions, repetitions, numbers made
// large), handed to its decoder in one call or in pieces. Printed is what came out, or the code of the error: no crash, no unbounded memory, and the
// same outcome as in Node.

const crypto = require('node:crypto');
const zlib = require('node:zlib');
const { Random } = require('./random.js');

const kMostOutput = 1 << 20; // bombs end here

// ---- Good inputs, the same on every run -----------------------------------------------------------

const kTexts = ['', 'a', 'hello '.repeat(40), JSON.stringify(Array.from({ length: 60 }, (_, id) => ({ id, name: `entry ${id}` }))),
  '\0'.repeat(70_000)].map((text) => Buffer.from(text));

const kPrivatePem = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRNpFPUs7oW5hJTFT
2oVq14SLO4VmTI6+bUvrM0fFZ9ehRANCAAQYWm5+Tu7xePyDKGMeqSWSvSU/7iH1
Ie6BDGvVxyCL5Px6Dh/1S6rxKAVYh5d0fZpYrbsR5eQ4Zmx2H3ejjmjP
-----END PRIVATE KEY-----
`;

function der(pem) {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}

const kEdDer = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), Buffer.alloc(32, 7)]);
const kEdKey = crypto.createPrivateKey({ key: kEdDer, format: 'der', type: 'pkcs8' });
const kEdPublic = crypto.createPublicKey(kEdKey);
const kEdJwk = kEdKey.export({ format: 'jwk' });
const kCertificate = require('node:tls').rootCertificates[0];

function packed(name) {
  return kTexts.map((text) => zlib[`${name}Sync`](text));
}

function decompress(name) {
  return (input) => zlib[`${name}Sync`](input, { maxOutputLength: kMostOutput });
}

function describeKey(key) {
  return `${key.type} ${key.asymmetricKeyType} ${JSON.stringify(key.asymmetricKeyDetails)}`;
}

// [good inputs, what decodes them]
const kDecoders = [
  [packed('gzip'), decompress('gunzip')],
  [packed('gzip'), decompress('unzip')],
  [packed('deflate'), decompress('inflate')],
  [packed('deflateRaw'), decompress('inflateRaw')],
  [packed('brotliCompress'), decompress('brotliDecompress')],
  [packed('zstdCompress'), decompress('zstdDecompress')],
  [[Buffer.from(kEdKey.export({ type: 'pkcs8', format: 'pem' })), Buffer.from(kPrivatePem)],
   (input) => describeKey(crypto.createPrivateKey(input))],
  [[kEdDer, der(kPrivatePem)], (input) => describeKey(crypto.createPrivateKey({ key: input, format: 'der', type: 'pkcs8' }))],
  [[kEdPublic.export({ type: 'spki', format: 'der' })],
   (input) => describeKey(crypto.createPublicKey({ key: input, format: 'der', type: 'spki' }))],
  [[Buffer.from(JSON.stringify(kEdJwk))], (input) => describeKey(crypto.createPrivateKey({ key: JSON.parse(input), format: 'jwk' }))],
  [[Buffer.from(kCertificate), der(kCertificate)], (input) => {
    const certificate = new crypto.X509Certificate(input);
    return [certificate.subject, certificate.issuer, certificate.serialNumber, certificate.validTo, certificate.subjectAltName,
      certificate.fingerprint256, certificate.ca].join(' ');
  }],
  [['utf-8', 'utf-16le', 'gb18030', 'euc-jp', 'shift_jis', 'iso-2022-jp', 'big5'].map((name) => Buffer.from(`${name}\0\u00e4\u20ac\u{1f600}\ud800`)),
   (input, random) => {
     const encoding = ['utf-8', 'utf-16le', 'utf-16be', 'gb18030', 'gbk', 'euc-jp', 'shift_jis', 'euc-kr', 'big5', 'koi8-u', 'windows-874'];
     const decoder = new TextDecoder(random.pick(encoding), { fatal: random.chance(30), ignoreBOM: random.chance(30) });
     let text = '';
     // Of gb18030 in pieces, real Node sometimes has no room for what is pending, and throws.
     if (decoder.encoding.startsWith('gb')) return JSON.stringify(decoder.decode(input));
     for (let at = 0; at < input.length;) {
       const end = at + 1 + random.below(9);
       text += decoder.decode(input.subarray(at, end), { stream: true });
       at = end;
     }
     return JSON.stringify(text + decoder.decode());
   }],
  [[Buffer.concat([...zlib.createZipArchiveSync([
    zlib.ZipEntry.createSync('a.txt', kTexts[2], { modified: new Date(0) }),
    zlib.ZipEntry.createSync('b/c.bin', kTexts[1], { modified: new Date(0), method: 'store' })])])], (input) => {
    const zip = new zlib.ZipBuffer(input);
    return [...zip.keys()].map((name) => `${name} ${zip.get(name).contentSync({ maxSize: kMostOutput }).length}`).join();
  }],
];

// ---- Damage ---------------------------------------------------------------------------------------

const kNumbers = [0, 1, 0x7f, 0x80, 0xff];

function damage(input, random) {
  let bytes = Buffer.from(input);
  for (let count = random.below(4); count > 0 && bytes.length > 0; count--) {
    const at = random.below(bytes.length);
    const size = 1 + random.below(8);
    switch (random.below(7)) {
      case 0: bytes[at] ^= 1 << random.below(8); break;
      case 1: bytes[at] = random.pick(kNumbers); break;
      case 2: bytes = bytes.subarray(0, at); break;
      case 3: bytes = Buffer.concat([bytes.subarray(0, at), Buffer.alloc(size, random.below(256)), bytes.subarray(at)]); break;
      case 4: bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + size)]); break;
      case 5: bytes.fill(random.pick(kNumbers), at, Math.min(at + size, bytes.length)); break;
      default: bytes = Buffer.concat([bytes, bytes.subarray(at)]);
    }
  }
  return bytes;
}

function outcome(run) {
  // Node leaves errors in OpenSSL's queue, for the next call to fail by. This one takes them away.
  crypto.sign(null, Buffer.alloc(1), kEdKey);
  try {
    const result = run();
    if (typeof result === 'string') return result;
    return `${result.length} bytes ${crypto.hash('sha1', result)}`;
  } catch (error) {
    // Which error of OpenSSL's queue Node reports depends on the calls before.
    return String(error.code).startsWith('ERR_OSSL_') ? 'refused by OpenSSL' : `${error.name} ${error.code}`;
  }
}

async function inPieces(make, input, random) {
  const stream = make({ maxOutputLength: kMostOutput });
  const pieces = [];
  let total = 0;
  const done = new Promise((resolve) => {
    stream.on('data', (piece) => {
      pieces.push(piece);
      total += piece.length;
      if (total > kMostOutput) stream.destroy();
    });
    stream.on('error', (error) => resolve(`error ${error.code}`));
    stream.on('close', () => resolve('closed'));
  });
  for (let at = 0; at < input.length;) {
    const end = at + 1 + random.below(300);
    stream.write(input.subarray(at, end));
    at = end;
  }
  stream.end();
  const how = await done;
  return total > kMostOutput ? 'too much' : `${how} ${total} ${crypto.hash('sha1', Buffer.concat(pieces))}`;
}

const kStreams = [zlib.createGunzip, zlib.createUnzip, zlib.createInflate, zlib.createInflateRaw, zlib.createBrotliDecompress,
  zlib.createZstdDecompress];

async function runProgram(seed) {
  const random = new Random(seed);
  for (let i = 0; i < 12; i++) {
    const which = random.below(kDecoders.length);
    const [inputs, decode] = kDecoders[which];
    const input = damage(random.pick(inputs), random);
    if (which < kStreams.length && random.chance(40)) console.log(which, 'stream', await inPieces(kStreams[which], input, random));
    else console.log(which, outcome(() => decode(input, random)));
  }
}

process.removeAllListeners('warning');
(async () => {
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    console.log(`# seed ${seed}`);
    await runProgram(seed);
  }
})();
