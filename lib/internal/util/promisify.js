'use strict';
// From callbacks to promises and back.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_FALSY_VALUE_REJECTION } } = require('internal/errors');
const { isPromise } = require('internal/util/types');
const { validateFunction } = require('internal/validators');

const kCustom = Symbol.for('nodejs.util.promisify.custom');

// A function whose callback gets several values names them under this symbol; its promise is
// fulfilled with an object of these names.
const customPromisifyArgs = Symbol('customPromisifyArgs');

function promisify(original) {
  validateFunction(original, 'original');
  const custom = original[kCustom];
  if (custom) {
    validateFunction(custom, 'util.promisify.custom');
    return Object.defineProperty(custom, kCustom, hidden(custom));
  }
  const names = original[customPromisifyArgs];

  function promisified(...args) {
    return new Promise((resolve, reject) => {
      const returned = Reflect.apply(original, this, [...args, (error, ...values) => {
        if (error) {
          reject(error);
        } else if (names !== undefined && values.length > 1) {
          resolve(Object.fromEntries(names.map((name, i) => [name, values[i]])));
        } else {
          resolve(values[0]);
        }
      }]);
      if (isPromise(returned)) {
        process.emitWarning('Calling promisify on a function that returns a Promise is likely a mistake.',
          'DeprecationWarning', 'DEP0174');
      }
    });
  }
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(original));
  Object.defineProperty(promisified, kCustom, hidden(promisified));
  return Object.defineProperties(promisified, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = kCustom;

function hidden(value) {
  return { __proto__: null, value, enumerable: false, writable: false, configurable: true };
}

// A rejection with a falsy reason could not be distinguished from success.
function callWithReason(reason, callback) {
  if (!reason) {
    reason = new ERR_FALSY_VALUE_REJECTION(reason);
    Error.captureStackTrace(reason, callWithReason);
  }
  return callback(reason);
}

function callbackify(original) {
  validateFunction(original, 'original');

  // Called from a tick, so that a throw in the callback is an exception and no rejection.
  function callbackified(...args) {
    const callback = args.pop();
    validateCallback(callback);
    const bound = callback.bind(this);
    Reflect.apply(original, this, args)
      .then((value) => process.nextTick(bound, null, value),
        (reason) => process.nextTick(callWithReason, reason, bound));
  }

  const descriptors = Object.getOwnPropertyDescriptors(original);
  // Users may have replaced these with something that is not a number or a string.
  if (typeof descriptors.length.value === 'number') descriptors.length.value++;
  if (typeof descriptors.name.value === 'string') descriptors.name.value += 'Callbackified';
  for (const key of Reflect.ownKeys(descriptors)) Object.setPrototypeOf(descriptors[key], null);
  return Object.defineProperties(callbackified, descriptors);
}

function validateCallback(callback) {
  if (typeof callback !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('last argument', 'Function', callback);
  }
}

module.exports = { callbackify, customPromisifyArgs, promisify };
