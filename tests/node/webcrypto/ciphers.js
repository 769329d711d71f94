// rondo-test: option=--no-warnings
'use strict';
// SP 800-38A, SP 800-38D, RFC 7253, RFC 8439, RFC 3394; counters that go round; what is refused.
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
const data = Buffer.from(Array.from({ length: 50 }, (_, i) => i * 3));
const variants = {
  'AES-CBC': [{ iv: raw.subarray(0, 16) }, { iv: raw.subarray(0, 15) }],
  'AES-GCM': [
    { iv: raw.subarray(0, 12) }, { iv: raw, tagLength: 96, additionalData: data }, { iv: raw, tagLength: 32 }, { iv: raw, tagLength: 33 },
    { iv: raw.subarray(0, 1) },
  ],
  'AES-CTR': [
    { counter: Buffer.alloc(16, 255), length: 64 }, { counter: Buffer.alloc(16, 255), length: 128 }, { counter: Buffer.alloc(16, 255), length: 1 },
    { counter: Buffer.alloc(16, 254), length: 9 }, { counter: Buffer.alloc(16, 1), length: 7 }, { counter: Buffer.alloc(15), length: 7 },
    { counter: Buffer.alloc(16), length: 0 },
  ],
  'AES-OCB': [{ iv: raw.subarray(0, 12) }, { iv: raw.subarray(0, 15), tagLength: 64 }, { iv: raw.subarray(0, 16) }],
  'ChaCha20-Poly1305': [{ iv: raw.subarray(0, 12), additionalData: data }, { iv: raw.subarray(0, 12) }, { iv: raw.subarray(0, 11) }],
};
(async () => {
  for (const name of Object.keys(variants)) {
    for (const size of name.startsWith('AES') ? [16, 24, 32] : [32]) {
      const key = await subtle.importKey('raw-secret', raw.subarray(0, size), name, true, ['encrypt', 'decrypt']);
      for (const parameters of variants[name]) {
        for (const message of [data, Buffer.alloc(0), Buffer.alloc(16)]) {
          await attempt(`${name} ${size} ${message.length}`, async () => {
            const encrypted = await subtle.encrypt({ name, ...parameters }, key, message);
            const back = await subtle.decrypt({ name, ...parameters }, key, encrypted);
            return `${hex(encrypted)} ${hex(back) === hex(message)}`;
          });
        }
      }
      const first = { name, ...variants[name][0] };
      await attempt(`${name} wrong`, async () => (await subtle.decrypt(first, key, Buffer.alloc(40))).byteLength);
      await attempt(`${name} short`, async () => (await subtle.decrypt(first, key, Buffer.alloc(4))).byteLength);
    }
  }
  const wrapping = await subtle.importKey('raw', raw.subarray(0, 16), 'AES-KW', true, ['wrapKey', 'unwrapKey']);
  const inner = await subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, true, ['sign', 'verify']);
  const wrapped = await subtle.wrapKey('raw', inner, wrapping, 'AES-KW');
  console.log(hex(wrapped));
  const outer = await subtle.unwrapKey('raw', wrapped, wrapping, 'AES-KW', { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']);
  await attempt('unwrapped', () => subtle.exportKey('raw', outer));
  await attempt('corrupt', () => subtle.unwrapKey('raw', Buffer.alloc(24), wrapping, 'AES-KW', { name: 'HMAC', hash: 'SHA-256' }, true, ['sign']));
})();
