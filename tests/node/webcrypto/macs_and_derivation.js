// rondo-test: option=--no-warnings
'use strict';
const { subtle } = globalThis.crypto;

const hex = (buffer) => Buffer.from(buffer).toString('hex');
async function attempt(label, run) {
  try {
    const result = await run();
    console.log(label, result instanceof ArrayBuffer ? hex(result) : result);
  } catch (error) {
    console.log(label, error.name, error.message, error.cause?.message, error.cause?.code);
  }
}
const raw = Buffer.from(Array.from({ length: 32 }, (_, i) => i));
const data = Buffer.from('data');
(async () => {
  for (const hash of ['SHA-1', 'SHA-256', 'SHA-512', 'SHA3-256']) {
    const key = await subtle.importKey('raw', raw, { name: 'HMAC', hash }, true, ['sign', 'verify']);
    const mac = await subtle.sign('HMAC', key, data);
    console.log(hash, hex(mac), await subtle.verify('HMAC', key, mac, data), await subtle.verify('HMAC', key, mac.slice(1), data),
                await subtle.verify('HMAC', key, mac, Buffer.from('date')));
  }
  for (const name of ['KMAC128', 'KMAC256']) {
    for (const bits of [256, 250, 16, 9]) {
      const key = await subtle.importKey('raw-secret', raw.subarray(0, Math.ceil(bits / 8)), { name, length: bits }, true, ['sign', 'verify']);
      for (const outputLength of [0, 8, 13, 256, 1000]) {
        await attempt(`${name} ${bits} ${outputLength}`, () => subtle.sign({ name, outputLength }, key, data));
        await attempt(`${name} ${bits} ${outputLength}`, () => subtle.sign({ name, outputLength, customization: data }, key, data));
      }
      const algorithm = { name, outputLength: 64 };
      await attempt('verify', async () => subtle.verify(algorithm, key, await subtle.sign(algorithm, key, data), data));
      await attempt('verify', () => subtle.verify(algorithm, key, Buffer.alloc(8), data));
    }
  }
  const derive = (name, parameters, length) => attempt(`${name} ${length}`, async () => {
    const key = await subtle.importKey('raw-secret', raw, name, false, ['deriveBits']);
    return subtle.deriveBits({ name, ...parameters }, key, length);
  });
  for (const length of [0, 8, 128, 1024, 12, null]) {
    await derive('PBKDF2', { hash: 'SHA-256', salt: raw, iterations: 10 }, length);
    await derive('HKDF', { hash: 'SHA-1', salt: raw, info: data }, length);
    await derive('Argon2id', { memory: 64, passes: 1, parallelism: 2, nonce: raw }, length);
  }
  await derive('PBKDF2', { hash: 'SHA-256', salt: raw, iterations: 0 }, 8);
  await derive('HKDF', { hash: 'SHA-1', salt: raw, info: data }, 255 * 160 + 8);
  const key = await subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']);
  const clone = structuredClone(key);
  console.log(clone === key, clone instanceof CryptoKey, clone, hex(await subtle.exportKey('raw', clone)));
})();
