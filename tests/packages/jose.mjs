import assert from 'node:assert';
import * as jose from 'jose';

const claims = { sub: 'ada', scope: 'all' };
const secret = new TextEncoder().encode('0123456789abcdef0123456789abcdef');
console.log(await new jose.SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).setIssuedAt(1700000000).sign(secret));

for (const alg of ['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']) {
  const { privateKey, publicKey } = await jose.generateKeyPair(alg, { extractable: true });
  // Out and in again, in both formats.
  const pem = await jose.importPKCS8(await jose.exportPKCS8(privateKey), alg);
  const jwk = await jose.importJWK(await jose.exportJWK(publicKey), alg);
  const token = await new jose.SignJWT(claims).setProtectedHeader({ alg }).setIssuer('rondo').setExpirationTime('2h').sign(pem);
  const { payload, protectedHeader } = await jose.jwtVerify(token, jwk, { issuer: 'rondo' });
  console.log(protectedHeader, payload.sub, payload.iss);
  const forged = `${token.slice(0, -8)}AAAAAAAA`;
  await assert.rejects(jose.jwtVerify(forged, jwk), (error) => {
    console.log(error.code, error.message);
    return true;
  });
}

for (const [alg, enc] of [['dir', 'A256GCM'], ['dir', 'A128CBC-HS256'], ['A256KW', 'A128GCM'], ['A256GCMKW', 'A256GCM'],
  ['PBES2-HS256+A128KW', 'A128GCM']]) {
  const jwe = await new jose.CompactEncrypt(new TextEncoder().encode('what nobody may read'))
    .setProtectedHeader({ alg, enc }).encrypt(secret);
  const { plaintext, protectedHeader } = await jose.compactDecrypt(jwe, secret, { keyManagementAlgorithms: [alg] });
  console.log(alg, protectedHeader.enc, new TextDecoder().decode(plaintext));
}
for (const [alg, options] of [['RSA-OAEP-256'], ['ECDH-ES+A128KW', { crv: 'P-256' }], ['ECDH-ES', { crv: 'X25519' }]]) {
  const { privateKey, publicKey } = await jose.generateKeyPair(alg, options);
  const jwt = await new jose.EncryptJWT(claims).setProtectedHeader({ alg, enc: 'A256GCM' }).encrypt(publicKey);
  console.log(alg, (await jose.jwtDecrypt(jwt, privateKey)).payload);
}
console.log(await jose.calculateJwkThumbprint({ kty: 'oct', k: 'AAAA' }));
await jose.jwtVerify('not.a.token', secret).catch((error) => console.log(error.name, error.message));
