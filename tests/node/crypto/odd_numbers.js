// Numbers that stand for nothing, and for what has no name: paddings, salt lengths, ciphers.
const { createPrivateKey, createPublicKey, getCipherInfo, getCiphers, publicDecrypt, publicEncrypt, sign, verify } = require('node:crypto');
// Always the same key, read before Node's queue of errors has any: with one key in 128 the bytes below decrypt to something that begins as padding does.
const privateKey = createPrivateKey({ format: 'der', type: 'pkcs1', key: Buffer.from(
  'MIICXgIBAAKBgQDgEG0V7V+zUDH8DTTfIY1UpNPM3JAFY36YPKmV4gsOgZfroUHVVqAeDdIVsV6oDy7bcqih2G44zILpxv68BKu9rkxCfb50KTBPzpLnE8l1' +
  'kRSQdZgGm5L6X1TFUb/UhsDEGPKUNxma4eUtdPwI85O9CcuZcFKxVHZth69YVgjr+QIDAQABAoGBAIuQD7JpwYNaP1glDbqyFmsTo81l0NtaZr8CggsW2hY2' +
  'CF+/eNceduthZmsWqMP7eQ89cuYkfjsov55H0eFg82sujStYZ4YLqG4PtHiwu+uqOC32BJsnuPaRD8WwNjm1VBNO9iCCQqpB7d4xRGGIWSxWs0ODLfk/Sk7z' +
  '4H9MedyBAkEA/2PNsIh4Oae3xqxhTej+6crwpQYYopjcGuF6m2GXn/yDwNv1eZ3TfNDqMFIQjdy1Kho2m0y3zy3bd99P6KY/6QJBAOCZdr36j5eE+IhSCPEZ' +
  '1kIeyLVhZryQpWAvpST02XkaIFQ3XAe1lZWn3Oa3b524J8BjoInr89S34/t8DZa2UZECQQDekAJb2sIzNIdCe00dEXS9F99ZYROs91uxjVhE+uqhQPUs6ENn' +
  'pfP9bS75xzqn9nRm6Ys3EceJpKQDNjg0PlWpAkEAv2wMd/6FQ25hJE5GsLaElfYGuhA5r5zYVhJFfinw7/YEd8J2/VsWEmbvLvRIfPPnbWF8AhDH0BSqijxA' +
  'mKLrAQJAJcZJTqsvQRfGVy13EmBjK3UheqDTtnOKT0UeISkGebMndMMF7BN/I7t9RtTt6teJ0199vnqWtlDxRUnyXBfQig==', 'base64') });
const publicKey = createPublicKey(privateKey);
const attempt = (label, f) => {
  try { console.log(label, f()); } catch (error) { console.log(label, error.name, error.code, error.message); }
};
for (let nid = -2; nid < 1300; nid++) {
  const info = getCipherInfo(nid);
  if (info !== undefined) console.log(nid, info.name, info.mode, info.keyLength, info.ivLength, info.blockSize);
}
console.log(getCipherInfo('none'), getCipherInfo(1e9), getCiphers().includes('rc4-hmac-md5'));
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
