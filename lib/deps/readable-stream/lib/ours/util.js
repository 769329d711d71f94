'use strict';
// In place of the package's own helpers: the runtime's.

const { addAbortListener } = require('events');
const { deprecate } = require('internal/util/deprecate');
const { debuglog } = require('internal/util/debuglog');
const { format, inspect } = require('internal/util/inspect');
const { isArrayBufferView, isAsyncFunction } = require('internal/util/types');

function once(callback) {
  let called = false;
  return function(...args) {
    if (called) return;
    called = true;
    Reflect.apply(callback, this, args);
  };
}

function createDeferredPromise() {
  let resolve;
  let reject;
  const promise = new Promise((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

function isBlob(value) {
  const { Blob } = require('buffer');
  return Blob !== undefined && value instanceof Blob;
}

// The package calls it with a function that takes a callback, and wants the promise at once.
function promisify(start) {
  return new Promise((resolve, reject) => {
    start((error, value) => {
      if (error) reject(error);
      else resolve(value);
    });
  });
}
promisify.custom = Symbol.for('nodejs.util.promisify.custom');

module.exports = {
  AbortSignalAny: (signals) => require('internal/abort_controller').AbortSignal.any(signals),
  addAbortListener,
  createDeferredPromise,
  debuglog,
  deprecate,
  format,
  inspect,
  isBlob,
  kEmptyObject: Object.freeze({ __proto__: null }),
  once,
  promisify,
  types: { isArrayBufferView, isAsyncFunction },
};
