// Numbers that stand for nothing, and for what has no name: paddings, salt lengths, ciphers.
const { getCipherInfo, generateKeyPairSync, getCiphers, publicDecrypt, publicEncrypt, sign, verify } = require('node:crypto');
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
for (let nid = -2; nid < 1300; nid++) {
  const info = getCipherInfo(nid);
  if (info !== undefined) console.log(nid, info.name, info.mode, info.keyLength, info.ivLength, info.blockSize);
}
console.log(getCipherInfo('none'), getCipherInfo(1e9), getCiphers().includes('rc4-hmac-md5'));
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
const data = Buffer.from('data');
for (const padding of [-3, -1, 0, 1, 2, 3, 4, 5, 6, 7, 2 ** 31 - 1]) {
  attempt(`sign ${padding}`, () => {
    const signature = sign('sha256', data, { key: privateKey, padding });
    return [signature.length, verify('sha256', data, { key: publicKey, padding }, signature), verify('sha256', data, publicKey, signature)];
  });
  attempt(`encrypt ${padding}`, () => publicEncrypt({ key: publicKey, padding }, Buffer.alloc(128, 1)).length);
  attempt(`decrypt ${padding}`, () => publicDecrypt({ key: publicKey, padding }, Buffer.alloc(128, 1)).length);
}
for (const saltLength of [-3, -2, -1, 0, 32, 94, 95]) {
  attempt(`salt ${saltLength}`, () => sign('sha256', data, { key: privateKey, padding: 6, saltLength }).length);
}
