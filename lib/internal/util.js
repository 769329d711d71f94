'use strict';
// Small helpers, under the names that Node's own files know.

const { promisify } = require('internal/util/promisify');
const { normalizeEncoding } = require('internal/buffer/encodings');
const { emitDeprecationOnce } = require('internal/util/deprecate');

const kEmptyObject = Object.freeze({ __proto__: null });
const kEnumerableProperty = Object.freeze({ __proto__: null, enumerable: true });
const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');

// A function that calls `callback` the first time only.
function once(callback, { preserveReturnValue = false } = kEmptyObject) {
  let called = false;
  let kept;
  return function(...args) {
    if (called) return kept;
    called = true;
    const result = Reflect.apply(callback, this, args);
    if (preserveReturnValue) kept = result;
    return result;
  };
}

// Names a function that is defined under a computed key, as a literal would.
function assignFunctionName(name, fn, descriptor = kEmptyObject) {
  const value = typeof name === 'symbol' ? `[${name.description}]` : name;
  return Object.defineProperty(fn, 'name', {
    __proto__: null, writable: false, enumerable: false, configurable: true,
    ...Object.getOwnPropertyDescriptor(fn, 'name'), ...descriptor, value,
  });
}

const experimentalWarnings = new Set();

// Once for each feature.
function emitExperimentalWarning(feature, messagePrefix = '') {
  if (experimentalWarnings.has(feature)) return;
  experimentalWarnings.add(feature);
  process.emitWarning(`${messagePrefix}${feature} is an experimental feature and might change at ` +
    'any time', 'ExperimentalWarning');
}

// Blocks the thread, for milliseconds.
function sleep(ms) {
  binding('util').sleep(ms);
}

// A function that warns when it is called for the first time.
function getDeprecationWarningEmitter(code, message, deprecated) {
  let warned = false;
  return () => {
    if (warned) return;
    warned = true;
    emitDeprecationOnce(message, code, deprecated);
  };
}

// object[key] = value, whatever is in the prototype.
function setOwnProperty(object, key, value) {
  Object.defineProperty(object, key, { __proto__: null, configurable: true, enumerable: true, value, writable: true });
  return value;
}

// text.replace() that leaves no traces in RegExp.$1 and its kin.
function SideEffectFreeRegExpPrototypeSymbolReplace(regExp, text, replacement) {
  const result = text.replace(regExp, replacement);
  require('internal/util/forget_matches')();
  return result;
}

module.exports = {
  SideEffectFreeRegExpPrototypeSymbolReplace, assignFunctionName, customInspectSymbol, emitExperimentalWarning,
  getDeprecationWarningEmitter, kEmptyObject, kEnumerableProperty, normalizeEncoding, once, promisify, setOwnProperty,
  sleep,
};
