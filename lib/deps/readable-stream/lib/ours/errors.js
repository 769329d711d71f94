'use strict';
// In place of the package's own errors: the runtime's, so that a stream fails with the same classes
// as everything else.

const { AbortError, aggregateTwoErrors, codes, hideStackFrames } = require('internal/errors');

// Chunks may be of any kind of view, here as in newer versions of Node than the package's.
const kChunkTypes = ['string', 'Buffer', 'TypedArray', 'DataView'];

class InvalidArgType extends codes.ERR_INVALID_ARG_TYPE {
  constructor(name, expected, actual) {
    super(name, name === 'chunk' ? kChunkTypes : expected, actual);
  }
}

// The package calls some of its error classes without `new`.
const made = new Map();

function callable(ErrorClass) {
  return function(...args) {
    return new ErrorClass(...args);
  };
}

const codesOfStreams = new Proxy(codes, {
  __proto__: null,
  get(target, code) {
    if (!made.has(code)) {
      made.set(code, callable(code === 'ERR_INVALID_ARG_TYPE' ? InvalidArgType : target[code]));
    }
    return made.get(code);
  },
});

module.exports = { AbortError, aggregateTwoErrors, codes: codesOfStreams, hideStackFrames };
