'use strict';
for (const name of ['crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto']) {
  const { get, set, enumerable, configurable, writable } = Object.getOwnPropertyDescriptor(globalThis, name);
  console.log(name, get?.name, set?.name, enumerable, configurable, writable);
}
console.log(crypto, crypto.subtle, crypto === require('node:crypto').webcrypto, Object.prototype.toString.call(crypto));
function attempt(run) {
  try {
    console.log(run());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
attempt(() => Object.getOwnPropertyDescriptor(globalThis, 'crypto').get.call({}));
attempt(() => { crypto = 1; });
attempt(() => new Crypto());
attempt(() => new CryptoKey());
attempt(() => new SubtleCrypto());
attempt(() => crypto.getRandomValues(new Uint8Array(4)).length);
attempt(() => crypto.getRandomValues(new Float32Array(4)));
attempt(() => crypto.getRandomValues(new Uint8Array(65537)));
attempt(() => crypto.getRandomValues.call({}, new Uint8Array(4)));
attempt(() => crypto.randomUUID().length);
