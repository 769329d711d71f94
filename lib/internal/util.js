'use strict';
// Small helpers, under the names that Node's own files know.

const { normalizeEncoding } = require('internal/buffer/encodings');
const { encodingNumbers } = require('internal/buffer/encoding_numbers');
const { deprecate, getDeprecationWarningEmitter } = require('internal/util/deprecate');
const { customPromisifyArgs, promisify } = require('internal/util/promisify');
const { SafeMap } = require('internal/util/safe');

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

// A function that computes its result once, and returns copies of it.
function cachedResult(compute) {
  let result;
  return () => (result ??= compute()).slice();
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

// Once for each feature. The stack of the warning begins below `constructor`.
function emitExperimentalWarning(feature, messagePrefix = '', constructor = emitExperimentalWarning) {
  if (experimentalWarnings.has(feature)) return;
  experimentalWarnings.add(feature);
  process.emitWarning(`${messagePrefix}${feature} is an experimental feature and might change at ` +
    'any time', 'ExperimentalWarning', undefined, constructor);
}

// A DOMException that begins with the caller.
function lazyDOMException(message, name) {
  const exception = new (lazyDOMExceptionClass())(message, name);
  if (Error.stackTraceLimit) Error.captureStackTrace(exception, lazyDOMException);
  return exception;
}

function lazyDOMExceptionClass() {
  return require('internal/errors/dom_exception');
}

// As a property of a literal, whatever Object.prototype has under that name.
function setOwnProperty(object, key, value) {
  return Object.defineProperty(object, key, {
    __proto__: null, value, writable: true, enumerable: true, configurable: true,
  });
}

const { sort } = Array.prototype;

// The strings in order, of those that differ in case only the last one; `lower` makes all of them lower case.
function filterDuplicateStrings(items, lower) {
  const byKey = new SafeMap();
  for (let i = 0; i < items.length; i++) {
    const key = items[i].toLowerCase();
    byKey.set(key, lower ? key : items[i]);
  }
  const kept = [];
  byKey.forEach((item) => kept.push(item));
  return Reflect.apply(sort, kept, []);
}

// Blocks the thread, for milliseconds.
function sleep(ms) {
  binding('util').sleep(ms);
}

// text.replace() that leaves no traces in RegExp.$1 and similar.
function SideEffectFreeRegExpPrototypeSymbolReplace(regExp, text, replacement) {
  const result = text.replace(regExp, replacement);
  require('internal/util/forget_matches')();
  return result;
}

// Also one that only inherits from Error, or is of another context.
function isError(value) {
  return binding('types').isNativeError(value) || value instanceof Error;
}

module.exports = {
  SideEffectFreeRegExpPrototypeSymbolReplace,
  assertCrypto() {}, // OpenSSL is always there
  assignFunctionName,
  customInspectSymbol,
  customPromisifyArgs,
  deprecate,
  emitExperimentalWarning,
  encodingsMap: encodingNumbers,
  cachedResult,
  filterDuplicateStrings,
  getDeprecationWarningEmitter,
  isError,
  kEmptyObject,
  kEnumerableProperty,
  lazyDOMException,
  lazyDOMExceptionClass,
  normalizeEncoding,
  once,
  promisify,
  setOwnProperty,
  sleep,
};
