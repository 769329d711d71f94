'use strict';
// What is wrong with an offset at which a number is to be read or written. Reading past the end
// gives undefined, and only then is it worth asking.

const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE },
} = require('internal/errors');

function checkType(value, name) {
  if (typeof value !== 'number') throw new ERR_INVALID_ARG_TYPE(name, 'number', value);
}

// `last` is the greatest offset that would do.
function offsetError(offset, last) {
  if (Math.floor(offset) !== offset) return new ERR_OUT_OF_RANGE('offset', 'an integer', offset);
  if (last < 0) return new ERR_BUFFER_OUT_OF_BOUNDS();
  return new ERR_OUT_OF_RANGE('offset', `>= 0 and <= ${last}`, offset);
}

// One to six bytes.
function checkByteLength(byteLength) {
  if (byteLength >= 1 && byteLength <= 6 && typeof byteLength === 'number' &&
      (byteLength | 0) === byteLength) {
    return;
  }
  // Math.floor() comes first: of a BigInt or a symbol it throws an error of its own, as in Node.
  if (Math.floor(byteLength) !== byteLength) {
    checkType(byteLength, 'byteLength');
    throw new ERR_OUT_OF_RANGE('byteLength', 'an integer', byteLength);
  }
  throw new ERR_OUT_OF_RANGE('byteLength', '>= 1 and <= 6', byteLength);
}

// A value that does not fit into so many bytes.
function valueError(value, min, max, bytes) {
  if (typeof min === 'bigint') {
    const bits = BigInt(bytes) * 8n;
    return new ERR_OUT_OF_RANGE('value', min === 0n ? `>= 0n and < 2n ** ${bits}n` :
      `>= -(2n ** ${bits - 1n}n) and < 2n ** ${bits - 1n}n`, value);
  }
  let range = `>= ${min} and <= ${max}`;
  if (bytes > 4) {
    const bits = bytes * 8;
    range = min === 0 ? `>= 0 and < 2 ** ${bits}` :
      `>= -(2 ** ${bits - 1}) and < 2 ** ${bits - 1}`;
  }
  return new ERR_OUT_OF_RANGE('value', range, value);
}

module.exports = { checkByteLength, checkType, offsetError, valueError };
