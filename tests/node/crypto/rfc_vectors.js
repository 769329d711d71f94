// rondo-test: option=--no-warnings
'use strict';
// Vectors of RFCs and IEEE standards that NIST has none of, and edge cases: what is malformed, too short, out of range or not canonical.
const crypto = require('node:crypto');

const bytes = (hex) => Buffer.from(hex.replace(/\s/g, ''), 'hex');
function attempt(label, run) {
  try {
    const result = run();
    console.log(label, Buffer.isBuffer(result) ? result.toString('hex') : result);
  } catch (error) {
    console.log(label, error.name, error.code, error.message);
  }
}
function same(label, found, expected) {
  console.log(label, Buffer.from(found).toString('hex') === expected.replace(/\s/g, ''));
}
const counting = (size, from = 0) => Buffer.from(Array.from({ length: size }, (_, i) => (from + i) & 255));

// ---- Ciphers ---------------------------------------------------------------------------------------------------------

function seal(name, key, iv, aad, plain, authTagLength = 16) {
  const cipher = crypto.createCipheriv(name, key, iv, { authTagLength });
  if (aad.length > 0) cipher.setAAD(aad, { plaintextLength: plain.length });
  const text = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([text, cipher.getAuthTag()]);
}
function open(name, key, iv, aad, sealed, authTagLength = 16) {
  const decipher = crypto.createDecipheriv(name, key, iv, { authTagLength });
  const text = sealed.subarray(0, sealed.length - authTagLength);
  decipher.setAuthTag(sealed.subarray(sealed.length - authTagLength));
  if (aad.length > 0) decipher.setAAD(aad, { plaintextLength: text.length });
  return Buffer.concat([decipher.update(text), decipher.final()]);
}

const sunscreen = Buffer.from("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.");
const chachaKey = counting(32, 0x80);
const chachaIv = bytes('070000004041424344454647');
const chachaAad = bytes('50515253c0c1c2c3c4c5c6c7');
const chacha = seal('chacha20-poly1305', chachaKey, chachaIv, chachaAad, sunscreen);
same('RFC 8439 2.8.2', chacha, `d31a8d34648e60db7b86afbc53ef7ec2 a4aded51296e08fea9e2b5a736ee62d6
  3dbea45e8ca9671282fafb69da92728b 1a71de0a9e060b2905d6a5b67ecd3b36 92ddbd7f2d778b8c9803aee328091b58
  fab324e4fad675945585808b4831d7bc 3ff4def08e4b7a9de576d26586cec64b 6116 1ae10b594f09e26a7e902ecbd0600691`);
console.log(open('chacha20-poly1305', chachaKey, chachaIv, chachaAad, chacha).equals(sunscreen));
for (const at of [0, 50, chacha.length - 1]) {
  const damaged = Buffer.from(chacha);
  damaged[at] ^= 1;
  attempt(`damaged at ${at}`, () => open('chacha20-poly1305', chachaKey, chachaIv, chachaAad, damaged));
}
attempt('wrong data', () => open('chacha20-poly1305', chachaKey, chachaIv, chachaIv, chacha));

const ocbKey = counting(16);
const ocbIv = (last) => bytes(`bbaa9988776655443322110${last}`);
for (const [last, aad, plain, expected] of [
  ['0', 0, 0, '785407bfffc8ad9edcc5520ac9111ee6'], ['1', 8, 8, '6820b3657b6f615a5725bda0d3b4eb3a257c9af1f8f03009'],
  ['2', 8, 0, '81017f8203f081277152fade694a0a00'], ['3', 0, 8, '45dd69f8f5aae72414054cd1f35d82760b2cd00d2f99bfa9'],
  ['4', 16, 16, '571d535b60b277188be5147170a9a22c3ad7a4ff3835b8c5701c1ccec8fc3358'],
]) {
  const data = counting(Math.max(aad, plain));
  same(`RFC 7253 ${last}`, seal('aes-128-ocb', ocbKey, ocbIv(last), data.subarray(0, aad), data.subarray(0, plain)), expected);
}

function wrap(name, key, iv, data) {
  const cipher = crypto.createCipheriv(name, key, iv);
  return Buffer.concat([cipher.update(data), cipher.final()]);
}
function unwrap(name, key, iv, data) {
  const decipher = crypto.createDecipheriv(name, key, iv);
  return Buffer.concat([decipher.update(data), decipher.final()]);
}
const kwIv = bytes('a6a6a6a6a6a6a6a6');
const kwData = bytes('00112233445566778899aabbccddeeff');
for (const [size, expected] of [[16, '1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5'],
                                [24, '96778b25ae6ca435f92b5b97c050aed2468ab8a17ad84e5d'],
                                [32, '64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7']]) {
  const name = `id-aes${size * 8}-wrap`;
  const wrapped = wrap(name, counting(size), kwIv, kwData);
  same(`RFC 3394 ${size}`, wrapped, expected);
  console.log(unwrap(name, counting(size), kwIv, wrapped).equals(kwData));
  for (const cut of [wrapped.subarray(8), wrapped.subarray(0, 16), wrapped.subarray(1), Buffer.alloc(0)]) {
    attempt(`cut to ${cut.length}`, () => unwrap(name, counting(size), kwIv, cut));
  }
}
const kwpKey = bytes('5840df6e29b02af1ab493b705bf16ea1ae8338f4dcc176a8');
for (const [data, expected] of [
  ['c37b7e6492584340bed12207808941155068f738', '138bdeaa9b8fa7fc61f97742e72248ee5ae6ae5360d1ae6a5f54f373fa543b6a'],
  ['466f7250617369', 'afbeb0f07dfbf5419200f2ccb50bb24f'],
]) {
  const wrapped = wrap('id-aes192-wrap-pad', kwpKey, bytes('a65959a6'), bytes(data));
  same('RFC 5649', wrapped, expected);
  same('RFC 5649', unwrap('id-aes192-wrap-pad', kwpKey, bytes('a65959a6'), wrapped), data);
  attempt('damaged', () => unwrap('id-aes192-wrap-pad', kwpKey, bytes('a65959a6'), Buffer.concat([wrapped.subarray(0, 15), Buffer.alloc(1)])));
}
attempt('XTS with equal keys', () => wrap('aes-128-xts', Buffer.alloc(32), Buffer.alloc(16), Buffer.alloc(32)));
same('IEEE 1619 2', wrap('aes-128-xts', bytes('11'.repeat(16) + '22'.repeat(16)), bytes('33333333330000000000000000000000'), Buffer.alloc(32, 0x44)),
     'c454185e6a16936e39334038acef838bfb186fff7480adc4289382ecd6d394f0');
attempt('XTS below a block', () => wrap('aes-128-xts', counting(32), Buffer.alloc(16), Buffer.alloc(15)));
same('XTS steals', unwrap('aes-128-xts', counting(32), Buffer.alloc(16), wrap('aes-128-xts', counting(32), Buffer.alloc(16), counting(17))),
     counting(17).toString('hex'));

// ---- Signatures ------------------------------------------------------------------------------------------------------

// RFC 6979 A.2.5: P-256, SHA-256, "sample".
const p256 = crypto.createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256',
  x: bytes('60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6').toString('base64url'),
  y: bytes('7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299').toString('base64url') } });
const r = 'efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716';
const s = 'f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8';
const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
const zero = '00'.repeat(32);
const verify = (signature, dsaEncoding, data = 'sample') => crypto.verify('sha256', Buffer.from(data), { key: p256, dsaEncoding }, bytes(signature));
console.log('RFC 6979', verify(r + s, 'ieee-p1363'), verify(r + s, 'ieee-p1363', 'test'));
const other = (BigInt(`0x${order}`) - BigInt(`0x${s}`)).toString(16).padStart(64, '0');
console.log('the other s', verify(r + other, 'ieee-p1363'));
for (const [label, signature] of [['zero', zero + zero], ['r is 0', zero + s], ['s is 0', r + zero], ['r is the order', order + s],
                                  ['s is the order', r + order], ['short', r + s.slice(2)], ['long', `${r}${s}00`], ['empty', ''],
                                  ['all ones', 'ff'.repeat(64)], ['swapped', s + r]]) {
  attempt(label, () => verify(signature, 'ieee-p1363'));
}
for (const [label, signature] of [
  ['DER', `3046022100${r}022100${s}`], ['negative', `30440220${r}0220${s}`], ['more zeros', `304702220000${r}022100${s}`],
  ['long length', `308146022100${r}022100${s}`], ['indefinite', `3080022100${r}022100${s}0000`], ['garbage after it', `3046022100${r}022100${s}00`],
  ['garbage in it', `3048022100${r}022100${s}0500`], ['one number', `3023022100${r}`], ['cut', `3046022100${r}022100${s.slice(2)}`],
  ['another tag', `3146022100${r}022100${s}`], ['empty', ''], ['no content', '3000'], ['numbers of no bytes', '300402000200'],
]) {
  attempt(label, () => verify(signature, 'der'));
}

// RFC 8032 7.1 and 7.4.
const okp = (crv, x, d) => ({ format: 'jwk', key: { kty: 'OKP', crv, x: bytes(x).toString('base64url'), ...(d && { d: bytes(d).toString('base64url') }) } });
const edPublic = '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c';
const edKey = crypto.createPrivateKey(okp('Ed25519', edPublic, '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'));
const edSignature = '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00';
same('RFC 8032 Ed25519', crypto.sign(null, bytes('72'), edKey), edSignature);
const ed448Public = '43ba28f430cdff456ae531545f7ecd0ac834a55d9358c0372bfa0c6c6798c0866aea01eb00742802b8438ea4cb82169c235160627b4c3a9480';
const ed448Key = crypto.createPrivateKey(okp('Ed448', ed448Public, 'c4eab05d357007c632f3dbb48489924d552b08fe0c353a0d4a1f00acda2c463afbea67c5e8d2877c5e3bc397a659949ef8021e954e0a12274e'));
same('RFC 8032 Ed448', crypto.sign(null, bytes('03'), ed448Key), `26b8f91727bd62897af15e41eb43c377efb9c610d48f2335cb0bd0087810f4352541b143c4b981b7
  e18f62de8ccdf633fc1bf037ab7cd779805e0dbcc0aae1cbcee1afb2e027df36bc04dcecbf154336c19f0af7e0a6472905e799f1953d2a0ff3348ab21aa4adafd1d234441cf807c03a00`);
same('RFC 8032 Ed448 context', crypto.sign(null, bytes('03'), { key: ed448Key, context: Buffer.from('foo') }), `d4f8f6131770dd46f40867d6fd5d5055de43541f8c5e35abbcd0
  01b32a89f7d2151f7647f11d8ca2ae279fb842d607217fce6e042f6815ea000c85741de5c8da1144a6a1aba7f96de42505d7a7298524fda538fccbbb754f578c1cad10d54d0d5428407e85dcbc98a49155c13764e66c3c00`);
// S + L, which is the same number but not canonical.
const edOrder = 2n ** 252n + 27742317777372353535851937790883648493n;
const edS = BigInt(`0x${Buffer.from(edSignature.slice(64), 'hex').reverse().toString('hex')}`) + edOrder;
const notCanonical = edSignature.slice(0, 64) + Buffer.from(edS.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
const edVerify = (signature, key = crypto.createPublicKey(edKey)) => crypto.verify(null, bytes('72'), key, bytes(signature));
for (const [label, signature] of [['Ed25519', edSignature], ['S above the order', notCanonical], ['short', edSignature.slice(2)], ['long', `${edSignature}00`],
                                  ['empty', ''], ['zeros', '00'.repeat(64)]]) attempt(label, () => edVerify(signature));
// Points of small order: the neutral one verifies anything.
for (const point of ['01'.padEnd(64, '0'), '00'.repeat(32), 'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'ff'.repeat(32)]) {
  attempt(`public key ${point.slice(0, 4)}`, () => edVerify('01'.padEnd(128, '0'), crypto.createPublicKey(okp('Ed25519', point))));
}

// ---- Agreement -------------------------------------------------------------------------------------------------------

const x25519 = (secret, point) => crypto.diffieHellman({
  privateKey: crypto.createPrivateKey({ key: bytes(secret), format: 'raw-private', asymmetricKeyType: 'x25519' }),
  publicKey: crypto.createPublicKey({ key: bytes(point), format: 'raw-public', asymmetricKeyType: 'x25519' }),
});
same('RFC 7748', x25519('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
                        'e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c'),
     'c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552');
let k = '0900000000000000000000000000000000000000000000000000000000000000';
let u = k;
for (let i = 0; i < 1000; i++) [k, u] = [x25519(k, u).toString('hex'), k];
console.log('RFC 7748, 1000 times', k === '684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51');
for (const point of ['00'.repeat(32), '01'.padEnd(64, '0'), 'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
                     'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f', 'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
                     'ff'.repeat(32), '09', '']) {
  attempt(`X25519 with ${point.slice(0, 8)}`, () => x25519('a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4', point));
}
const ecdh = crypto.createECDH('prime256v1');
ecdh.setPrivateKey(counting(32, 1));
const good = '60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299';
for (const [label, point] of [['good', `04${good}`], ['compressed', `03${good.slice(0, 64)}`], ['hybrid', `07${good}`], ['hybrid, other sign', `06${good}`],
                              ['off the curve', `04${good.slice(0, -2)}98`], ['infinity', '00'], ['zero', `04${zero}${zero}`], ['short', `04${good.slice(2)}`],
                              ['long', `04${good}00`], ['x above the field', `02${'ff'.repeat(32)}`], ['no tag', good], ['empty', '']]) {
  attempt(`ECDH ${label}`, () => ecdh.computeSecret(bytes(point)));
}
for (const key of [zero, order, 'ff'.repeat(32), '01', '']) attempt(`ECDH private key ${key.slice(0, 8)}`, () => crypto.createECDH('prime256v1').setPrivateKey(bytes(key)) && 'set');
const dh = crypto.getDiffieHellman('modp14');
dh.generateKeys();
const prime = BigInt(`0x${dh.getPrime('hex')}`);
for (const [label, value] of [['0', 0n], ['1', 1n], ['p - 1', prime - 1n], ['p', prime], ['p + 1', prime + 1n]]) {
  const text = value.toString(16);
  attempt(`DH ${label}`, () => dh.computeSecret(bytes(text.length % 2 === 0 ? text : `0${text}`)).length);
}

// ---- RSA -------------------------------------------------------------------------------------------------------------

const rsa = crypto.generateKeyPairSync('rsa', { modulusLength: 2048 });
const encrypted = crypto.publicEncrypt({ key: rsa.publicKey, oaepHash: 'sha256', oaepLabel: Buffer.from('label') }, Buffer.from('text'));
const decrypt = (text, options) => crypto.privateDecrypt({ key: rsa.privateKey, oaepHash: 'sha256', oaepLabel: Buffer.from('label'), ...options }, text).toString();
attempt('OAEP', () => decrypt(encrypted));
attempt('OAEP another label', () => decrypt(encrypted, { oaepLabel: Buffer.from('other') }));
attempt('OAEP no label', () => decrypt(encrypted, { oaepLabel: undefined }));
attempt('OAEP another digest', () => decrypt(encrypted, { oaepHash: 'sha1' }));
attempt('OAEP short', () => decrypt(encrypted.subarray(1)));
attempt('OAEP zeros', () => decrypt(Buffer.alloc(256)));
attempt('OAEP not below the modulus', () => decrypt(Buffer.alloc(256, 255)));
attempt('OAEP long text', () => crypto.publicEncrypt({ key: rsa.publicKey, oaepHash: 'sha256' }, Buffer.alloc(191)));
attempt('OAEP longest text', () => crypto.publicEncrypt({ key: rsa.publicKey, oaepHash: 'sha256' }, Buffer.alloc(190)).length);
// A wrong padding gives other bytes, so that an attacker learns nothing from it.
const { RSA_NO_PADDING, RSA_PKCS1_PADDING, RSA_PKCS1_PSS_PADDING } = crypto.constants;
const wrong = crypto.publicEncrypt({ key: rsa.publicKey, padding: RSA_NO_PADDING }, counting(256, 0));
attempt('PKCS1 with a wrong padding', () => typeof decrypt(wrong, { padding: RSA_PKCS1_PADDING }));
attempt('PKCS1', () => decrypt(crypto.publicEncrypt({ key: rsa.publicKey, padding: RSA_PKCS1_PADDING }, Buffer.from('text')), { padding: RSA_PKCS1_PADDING }));
attempt('PKCS1 long text', () => crypto.publicEncrypt({ key: rsa.publicKey, padding: RSA_PKCS1_PADDING }, Buffer.alloc(246)));
attempt('no padding, short text', () => crypto.publicEncrypt({ key: rsa.publicKey, padding: RSA_NO_PADDING }, Buffer.alloc(255)));
const pss = { key: rsa.privateKey, padding: RSA_PKCS1_PSS_PADDING, saltLength: 20 };
const signature = crypto.sign('sha256', Buffer.from('data'), pss);
for (const saltLength of [20, 19, 32, crypto.constants.RSA_PSS_SALTLEN_AUTO, crypto.constants.RSA_PSS_SALTLEN_DIGEST, crypto.constants.RSA_PSS_SALTLEN_MAX_SIGN]) {
  attempt(`PSS ${saltLength}`, () => crypto.verify('sha256', Buffer.from('data'), { ...pss, key: rsa.publicKey, saltLength }, signature));
}
attempt('PSS long salt', () => crypto.sign('sha512', Buffer.from('data'), { ...pss, saltLength: 191 }));
attempt('PKCS1 for PSS', () => crypto.verify('sha256', Buffer.from('data'), rsa.publicKey, signature));
attempt('short', () => crypto.verify('sha256', Buffer.from('data'), { ...pss, key: rsa.publicKey }, signature.subarray(1)));

// ---- ML-KEM, ML-DSA --------------------------------------------------------------------------------------------------

for (const [name, textSize, keySize] of [['ml-kem-512', 768, 800], ['ml-kem-768', 1088, 1184], ['ml-kem-1024', 1568, 1568]]) {
  const key = crypto.createPrivateKey({ key: counting(64), format: 'raw-seed', asymmetricKeyType: name });
  // Whatever has the right length gives a secret; a wrong one cannot be recognized.
  attempt(`${name} any text`, () => crypto.decapsulate(key, counting(textSize)));
  attempt(`${name} zeros`, () => crypto.decapsulate(key, Buffer.alloc(textSize)));
  attempt(`${name} short`, () => crypto.decapsulate(key, counting(textSize - 1)));
  attempt(`${name} long`, () => crypto.decapsulate(key, counting(textSize + 1)));
  attempt(`${name} empty`, () => crypto.decapsulate(key, Buffer.alloc(0)));
  for (const [label, text] of [['not reduced', Buffer.alloc(keySize, 255)], ['short', counting(keySize - 1)], ['long', counting(keySize + 1)], ['zeros', Buffer.alloc(keySize)]]) {
    attempt(`${name} public key ${label}`, () => crypto.encapsulate(crypto.createPublicKey({ key: text, format: 'raw-public', asymmetricKeyType: name })).ciphertext.length);
  }
  attempt(`${name} seed`, () => crypto.createPrivateKey({ key: counting(63), format: 'raw-seed', asymmetricKeyType: name }));
}
for (const [name, size] of [['ml-dsa-44', 2420], ['ml-dsa-65', 3309], ['ml-dsa-87', 4627]]) {
  const key = crypto.createPrivateKey({ key: counting(32), format: 'raw-seed', asymmetricKeyType: name });
  const publicKey = crypto.createPublicKey(key);
  const signed = crypto.sign(null, Buffer.from('data'), key);
  const check = (text, context) => crypto.verify(null, Buffer.from('data'), { key: publicKey, context }, text);
  attempt(`${name} size`, () => signed.length === size);
  attempt(`${name} good`, () => check(signed));
  attempt(`${name} another context`, () => check(signed, Buffer.from('context')));
  attempt(`${name} empty context`, () => check(signed, Buffer.alloc(0)));
  attempt(`${name} with a context`, () => check(crypto.sign(null, Buffer.from('data'), { key, context: Buffer.alloc(255, 1) }), Buffer.alloc(255, 1)));
  attempt(`${name} long context`, () => crypto.sign(null, Buffer.from('data'), { key, context: Buffer.alloc(256) }));
  attempt(`${name} short`, () => check(signed.subarray(1)));
  attempt(`${name} long`, () => check(Buffer.concat([signed, Buffer.alloc(1)])));
  attempt(`${name} zeros`, () => check(Buffer.alloc(size)));
  attempt(`${name} hints out of order`, () => check(Buffer.concat([signed.subarray(0, size - 1), Buffer.from([255])])));
  attempt(`${name} seed`, () => crypto.createPrivateKey({ key: counting(31), format: 'raw-seed', asymmetricKeyType: name }));
}
