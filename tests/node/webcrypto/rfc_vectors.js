// rondo-test: option=--no-warnings
'use strict';
// Vectors of RFCs and of SP 800-185 for the algorithms of crypto.subtle that NIST's validation has none of, and what is damaged, cut or of
// another length. A line says whether what came out is what the standard says, or which error.
const { subtle } = globalThis.crypto;

const bytes = (text) => Buffer.from(text.replace(/\s/g, ''), 'hex');
const hex = (buffer) => Buffer.from(buffer).toString('hex');
const upTo = (from, to) => Buffer.from(Array.from({ length: to - from + 1 }, (_, i) => from + i));
const flipped = (buffer, at) => {
  const copy = Buffer.from(buffer);
  copy[at < 0 ? copy.length + at : at] ^= 1;
  return copy;
};

async function expect(label, run, expected) {
  try {
    const result = await run();
    const text = result instanceof ArrayBuffer ? hex(result) : result;
    console.log(label, expected === undefined ? text : text === expected.replace(/\s/g, '').toLowerCase());
  } catch (error) {
    console.log(label, error.name, error.message);
  }
}

async function digests() {
  const data = bytes('00010203');
  const digest = (algorithm, message) => () => subtle.digest(algorithm, message);
  const empty = Buffer.alloc(0);
  const signature = Buffer.from('Email Signature');
  await expect('SP 800-185 cSHAKE128', digest({ name: 'cSHAKE128', outputLength: 256, customization: signature }, data),
    'C1C36925B6409A04F1B504FCBCA9D82B4017277CB5ED2B2065FC1D3814D5AAF5');
  await expect('SP 800-185 cSHAKE256', digest({ name: 'cSHAKE256', outputLength: 512, customization: signature }, data),
    'D008828E2B80AC9D2218FFEE1D070C48B8E4C87BFF32C9699D5B6896EEE0EDD164020E2BE0560858D9C00C037E34A96937C561A74C412BB4C746469527281C8C');
  await expect('RFC 9861 TurboSHAKE128', digest({ name: 'TurboSHAKE128', outputLength: 256 }, empty),
    '1E415F1C5983AFF2169217277D17BB538CD945A397DDEC541F1CE41AF2C1B74C');
  await expect('RFC 9861 TurboSHAKE256', digest({ name: 'TurboSHAKE256', outputLength: 512 }, empty),
    '367A329DAFEA871C7802EC67F905AE13C57695DC2C6663C61035F59A18F8E7DB' +
    '11EDC0E12E91EA60EB6B32DF06DD7F002FBAFABB6E13EC1CC20D995547600DB0');
  await expect('RFC 9861 KT128', digest({ name: 'KT128', outputLength: 256 }, empty),
    '1AC2D450FC3B4205D19DA7BFCA1B37513C0803577AC7167F06FE2CE1F0EF39E5');
  await expect('RFC 9861 KT256', digest({ name: 'KT256', outputLength: 512 }, empty),
    'B23D2E9CEA9F4904E02BEC06817FC10CE38CE8E93EF4C89E6537076AF8646404' +
    'E3E8B68107B8833A5D30490AA33482353FD4ADC7148ECB782855003AAEBDE4A9');
}

async function macs() {
  for (const [name, outputLength, customization, expected] of [
    ['KMAC128', 256, '', 'E5780B0D3EA6F7D3A429C5706AA43A00FADBD7D49628839E3187243F456EE14E'],
    ['KMAC128', 256, 'My Tagged Application', '3B1FBA963CD8B0B59E8C1A6D71888B7143651AF8BA0A7070C0979E2811324AA5'],
    ['KMAC256', 512, 'My Tagged Application',
     '20C570C31346F703C9AC36C61C03CB64C3970D0CFC787E9B79599D273A68D2F7F69D4CC3DE9D104A351689F27CF6F5951F0103F33F4F24871024D9C27773A8DD'],
  ]) {
    const key = await subtle.importKey('raw-secret', upTo(0x40, 0x5f), name, false, ['sign', 'verify']);
    const algorithm = { name, outputLength, customization: Buffer.from(customization) };
    await expect(`SP 800-185 ${name}`, () => subtle.sign(algorithm, key, bytes('00010203')), expected);
    await expect(`${name} damaged`, () => subtle.verify(algorithm, key, flipped(bytes(expected), 5), bytes('00010203')));
    await expect(`${name} cut`, () => subtle.verify(algorithm, key, bytes(expected).subarray(1), bytes('00010203')));
    await expect(`${name} other length`, () => subtle.verify({ ...algorithm, outputLength: 128 }, key, bytes(expected).subarray(0, 16), bytes('00010203')));
  }
}

async function ciphers() {
  const sunscreen = Buffer.from('Ladies and Gentlemen of the class of \'99: If I could offer you only one tip for the future, sunscreen would be it.');
  for (const [label, name, key, iv, additionalData, text, sealed] of [
    ['RFC 8439', 'ChaCha20-Poly1305', upTo(0x80, 0x9f), bytes('070000004041424344454647'), bytes('50515253c0c1c2c3c4c5c6c7'), sunscreen,
     `d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b
      1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
      3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691`],
    ['RFC 7253', 'AES-OCB', upTo(0, 15), bytes('BBAA99887766554433221100'), Buffer.alloc(0), Buffer.alloc(0), '785407BFFFC8AD9EDCC5520AC9111EE6'],
    ['RFC 7253', 'AES-OCB', upTo(0, 15), bytes('BBAA99887766554433221101'), upTo(0, 7), upTo(0, 7), '6820B3657B6F615A5725BDA0D3B4EB3A257C9AF1F8F03009'],
    ['GCM, case 2', 'AES-GCM', Buffer.alloc(16), Buffer.alloc(12), Buffer.alloc(0), Buffer.alloc(16), '0388dace60b6a392f328c2b971b2fe78ab6e47d42cec13bdf53a67b21257bddf'],
  ]) {
    const secret = await subtle.importKey('raw-secret', key, name, false, ['encrypt', 'decrypt']);
    const algorithm = { name, iv, additionalData };
    const good = bytes(sealed);
    await expect(`${label} ${name}`, () => subtle.encrypt(algorithm, secret, text), sealed);
    await expect(`${name} back`, () => subtle.decrypt(algorithm, secret, good), hex(text));
    await expect(`${name} damaged tag`, () => subtle.decrypt(algorithm, secret, flipped(good, -1)));
    await expect(`${name} damaged`, () => subtle.decrypt(algorithm, secret, flipped(good, 0)));
    await expect(`${name} cut`, () => subtle.decrypt(algorithm, secret, good.subarray(0, 15)));
    await expect(`${name} other data`, () => subtle.decrypt({ ...algorithm, additionalData: Buffer.from('x') }, secret, good));
    await expect(`${name} other nonce`, () => subtle.decrypt({ ...algorithm, iv: flipped(iv, 0) }, secret, good));
    for (const size of [0, 1, 11, 13, 15, 16, 17]) {
      await expect(`${name} nonce of ${size}`, async () => hex(await subtle.encrypt({ ...algorithm, iv: Buffer.alloc(size) }, secret, text)).length);
    }
    for (const tagLength of [0, 32, 64, 96, 120, 127, 128, 129]) {
      await expect(`${name} tag of ${tagLength}`, async () => hex(await subtle.encrypt({ ...algorithm, tagLength }, secret, text)).length);
    }
  }
  for (const [kek, data, wrapped] of [
    [upTo(0, 15), '00112233445566778899AABBCCDDEEFF', '1FA68B0A8112B447AEF34BD8FB5A7B829D3E862371D2CFE5'],
    [upTo(0, 31), '00112233445566778899AABBCCDDEEFF000102030405060708090A0B0C0D0E0F',
     '28C9F404C4B810F4CBCCB35CFB87F8263F5786E2D80ED326CBC7F0E71A99F43BFB988B9B7A02DD21'],
  ]) {
    const key = await subtle.importKey('raw', kek, 'AES-KW', false, ['wrapKey', 'unwrapKey']);
    const inner = await subtle.importKey('raw', bytes(data), 'AES-CBC', true, ['encrypt']);
    await expect('RFC 3394', () => subtle.wrapKey('raw', inner, key, 'AES-KW'), wrapped);
    const unwrap = (text) => async () => subtle.exportKey('raw', await subtle.unwrapKey('raw', text, key, 'AES-KW', 'AES-CBC', true, ['encrypt']));
    await expect('RFC 3394 back', unwrap(bytes(wrapped)), data);
    await expect('RFC 3394 damaged', unwrap(flipped(bytes(wrapped), 3)));
    await expect('RFC 3394 cut', unwrap(bytes(wrapped).subarray(8)));
    await expect('RFC 3394 odd', unwrap(bytes(wrapped).subarray(1)));
  }
}

async function derivations() {
  const derive = (name, secret, parameters, length) => async () => {
    const key = await subtle.importKey('raw-secret', secret, name, false, ['deriveBits']);
    return subtle.deriveBits({ name, ...parameters }, key, length);
  };
  await expect('RFC 5869, 1', derive('HKDF', Buffer.alloc(22, 11), { hash: 'SHA-256', salt: upTo(0, 12), info: upTo(0xf0, 0xf9) }, 336),
    '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865');
  await expect('RFC 5869, 2', derive('HKDF', upTo(0, 0x4f), { hash: 'SHA-256', salt: upTo(0x60, 0xaf), info: upTo(0xb0, 0xff) }, 656),
    `b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09
     da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87`);
  await expect('RFC 5869, 3', derive('HKDF', Buffer.alloc(22, 11), { hash: 'SHA-256', salt: Buffer.alloc(0), info: Buffer.alloc(0) }, 336),
    '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8');
  const password = Buffer.from('password');
  const salt = Buffer.from('salt');
  for (const [iterations, expected] of [[1, '0c60c80f961f0e71f3a9b524af6012062fe037a6'], [2, 'ea6c014dc72d6f8ccd1ed92ace1d41f0d8de8957'],
    [4096, '4b007901b765489abead49d926f721d065a429c1']]) {
    await expect(`RFC 6070, ${iterations}`, derive('PBKDF2', password, { hash: 'SHA-1', salt, iterations }, 160), expected);
  }
  await expect('RFC 7914, 11', derive('PBKDF2', Buffer.from('passwd'), { hash: 'SHA-256', salt, iterations: 1 }, 512),
    '55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783');
  const argon = { memory: 32, passes: 3, parallelism: 4, nonce: Buffer.alloc(16, 2), secretValue: Buffer.alloc(8, 3), associatedData: Buffer.alloc(12, 4) };
  for (const [name, expected] of [
    ['Argon2d', '512b391b6f1162975371d30919734294f868e3be3984f3c1a13a4db9fabe4acb'],
    ['Argon2i', 'c814d9d1dc7f37aa13f0d77f2494bda1c8de6b016dd388d29952a4c4672b6ce8'],
    ['Argon2id', '0d640df58d78766c08c037a34a8b53c9d01ef0452d75b65eb52520e96b01e659']]) {
    await expect(`RFC 9106 ${name}`, derive(name, Buffer.alloc(32, 1), argon, 256), expected);
    for (const change of [{ memory: 31 }, { memory: 0 }, { passes: 0 }, { parallelism: 0 }, { parallelism: 1 << 24 }, { nonce: Buffer.alloc(7) }, { version: 0x10 }]) {
      await expect(`${name} ${Object.keys(change)}`, async () => hex(await derive(name, Buffer.alloc(32, 1), { ...argon, ...change }, 256)()).length);
    }
  }
}

// Secrets that both sides have, and what becomes of a damaged ciphertext: of ML-KEM another secret, not an error.
async function encapsulation() {
  for (const name of ['ML-KEM-512', 'ML-KEM-768', 'ML-KEM-1024', 'MLKEM768-X25519', 'MLKEM768-P256', 'MLKEM1024-P384']) {
    const { publicKey, privateKey } = await subtle.generateKey(name, true, ['encapsulateBits', 'decapsulateBits', 'encapsulateKey', 'decapsulateKey']);
    const { sharedKey, ciphertext } = await subtle.encapsulateBits(name, publicKey);
    console.log(name, sharedKey.byteLength, ciphertext.byteLength, hex(await subtle.decapsulateBits(name, privateKey, ciphertext)) === hex(sharedKey));
    await expect(`${name} damaged`, async () => hex(await subtle.decapsulateBits(name, privateKey, flipped(Buffer.from(ciphertext), 7))) === hex(sharedKey));
    await expect(`${name} cut`, () => subtle.decapsulateBits(name, privateKey, ciphertext.slice(1)));
    await expect(`${name} empty`, () => subtle.decapsulateBits(name, privateKey, new ArrayBuffer(0)));
    for (const [format, key] of [['raw-public', publicKey], ['raw-seed', privateKey], ['spki', publicKey], ['pkcs8', privateKey], ['jwk', privateKey]]) {
      await expect(`${name} ${format}`, async () => {
        const exported = await subtle.exportKey(format, key);
        const again = await subtle.importKey(format, exported, name, true, key.usages);
        const use = key === publicKey ? (await subtle.encapsulateBits(name, again)).ciphertext.byteLength :
          hex(await subtle.decapsulateBits(name, again, ciphertext)) === hex(sharedKey);
        return `${exported.byteLength ?? Object.keys(exported)} ${use}`;
      });
    }
    for (const size of [0, 31, 32, 63, 64, 65, 1184]) {
      await expect(`${name} seed of ${size}`, async () => (await subtle.importKey('raw-seed', Buffer.alloc(size), name, true, ['decapsulateBits'])).type);
      await expect(`${name} public of ${size}`, async () => (await subtle.importKey('raw-public', Buffer.alloc(size), name, true, ['encapsulateBits'])).type);
    }
  }
}

(async () => {
  await digests();
  await macs();
  await ciphers();
  await derivations();
  await encapsulation();
})();
