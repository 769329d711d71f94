'use strict';
// util.types: what an object is inside, whatever its prototype says.

const native = binding('types');

const kTypedArray = Object.getPrototypeOf(Uint8Array.prototype);
const typeTag = Object.getOwnPropertyDescriptor(kTypedArray, Symbol.toStringTag).get;
const getTypeTag = Function.prototype.call.bind(typeTag);

function isTypedArray(value) {
  return getTypeTag(value) !== undefined;
}

function isDataView(value) {
  return native.isDataView(value);
}

const checks = { isArrayBufferView: ArrayBuffer.isView, isDataView, isTypedArray };

for (const type of ['Uint8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'Int8Array',
  'Int16Array', 'Int32Array', 'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array']) {
  const name = `is${type}`;
  checks[name] = { [name](value) { return getTypeTag(value) === type; } }[name];
}

// Loads the crypto module only for what claims to come from it.
function isKeyObject(value) {
  if (value === null || typeof value !== 'object' || !hasConstructor(value, 'KeyObject')) return false;
  return require('internal/crypto/keys').isKeyObject(value);
}

function hasConstructor(object, name) {
  for (let current = object; current !== null; current = Object.getPrototypeOf(current)) {
    const constructor = Object.getOwnPropertyDescriptor(current, 'constructor')?.value;
    if (typeof constructor === 'function' && constructor.name === name) return true;
  }
  return false;
}

function isCryptoKey(value) {
  if (value === null || typeof value !== 'object' || !hasConstructor(value, 'CryptoKey')) return false;
  return require('internal/crypto/keys').isCryptoKey(value);
}

module.exports = { ...native, ...checks };
for (const check of [isKeyObject, isCryptoKey]) {
  Object.defineProperty(module.exports, check.name, { __proto__: null, enumerable: true, value: check });
}
