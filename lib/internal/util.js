'use strict';
// Small helpers, under the names that Node's own files know.

const { promisify } = require('internal/util/promisify');

const kEmptyObject = Object.freeze({ __proto__: null });

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

module.exports = { assignFunctionName, emitExperimentalWarning, kEmptyObject, once, promisify, sleep };
