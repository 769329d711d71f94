// rondo-test: option=--no-warnings
'use strict';
// FIPS 180-4, FIPS 202, SP 800-185, RFC 9861: messages around the sizes of blocks and leaves.
const { subtle } = globalThis.crypto;

const hex = (buffer) => Buffer.from(buffer).toString('hex');
async function attempt(label, algorithm, data) {
  try {
    const digest = hex(await subtle.digest(algorithm, data));
    console.log(label, digest.length > 128 ? `${digest.slice(0, 64)}...${digest.slice(-64)}` : digest);
  } catch (error) {
    console.log(label, error.name, error.message, error.cause?.message);
  }
}
(async () => {
  const data = Buffer.from(Array.from({ length: 50 }, (_, i) => i));
  for (const name of ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-384', 'SHA3-512']) {
    await attempt(name, name, data);
    await attempt(name, { name }, new ArrayBuffer(0));
  }
  for (const name of ['cSHAKE128', 'cSHAKE256']) {
    for (const outputLength of [0, 8, 13, 256, 2000]) {
      await attempt(`${name} ${outputLength}`, { name, outputLength }, data);
      await attempt(`${name} ${outputLength}`, { name, outputLength, customization: Buffer.from('Email Signature') }, data);
      await attempt(`${name} ${outputLength}`, { name, outputLength, functionName: Buffer.from('KMAC'), customization: Buffer.alloc(512) }, data);
    }
    await attempt(`${name} limit`, { name, outputLength: 8, customization: Buffer.alloc(513) }, data);
  }
  for (const name of ['TurboSHAKE128', 'TurboSHAKE256']) {
    for (const size of [0, 1, 135, 136, 137, 167, 168, 169, 5000]) {
      await attempt(`${name} ${size}`, { name, outputLength: 256 }, Buffer.alloc(size, 3));
    }
    await attempt(`${name} long`, { name, outputLength: 4096 }, data);
    for (const domainSeparation of [1, 7, 127]) await attempt(name, { name, outputLength: 256, domainSeparation }, data);
    for (const outputLength of [0, 7, 12]) await attempt(`${name} ${outputLength}`, { name, outputLength }, data);
    await attempt(`${name} domain`, { name, outputLength: 256, domainSeparation: 128 }, data);
  }
  for (const name of ['KT128', 'KT256']) {
    for (const size of [0, 1, 17, 8189, 8190, 8191, 8192, 8193, 16383, 16384, 50000]) {
      await attempt(`${name} ${size}`, { name, outputLength: 256 }, Buffer.alloc(size, 7));
      await attempt(`${name} ${size}`, { name, outputLength: 512, customization: Buffer.alloc(size, 9) }, data);
    }
  }
  await attempt('unknown', 'MD5', data);
  await attempt('type', 'SHA-256', 'text');
})();
