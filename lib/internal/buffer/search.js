'use strict';
// Buffer's indexOf(), lastIndexOf() and includes().

const {
  indexOfBuffer: nativeIndexOfBuffer,
  indexOfNumber: nativeIndexOfNumber,
  indexOfString: nativeIndexOfString,
} = binding('buffer');
const { codes: { ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING } } = require('internal/errors');
const { validateBuffer } = require('internal/validators');
const { isUint8Array } = require('internal/util/types');
const { findEncoding, utf8 } = require('internal/buffer/encodings');
const { encodingNumbers } = require('internal/buffer/encoding_numbers');

function numberOf(encoding) {
  const found = encoding === undefined ? utf8 : findEncoding(encoding);
  if (found === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  return encodingNumbers[found.name];
}

// Forwards from byteOffset, or backwards from it.
function find(buffer, value, byteOffset, encoding, forwards) {
  validateBuffer(buffer);
  if (typeof byteOffset === 'string') {
    encoding = byteOffset;
    byteOffset = undefined;
  } else if (byteOffset > 0x7fffffff) {
    byteOffset = 0x7fffffff;
  } else if (byteOffset < -0x80000000) {
    byteOffset = -0x80000000;
  }
  byteOffset = +byteOffset;
  if (Number.isNaN(byteOffset)) byteOffset = forwards ? 0 : buffer.byteLength;

  if (typeof value === 'number') {
    return nativeIndexOfNumber(buffer, value >>> 0, byteOffset, forwards);
  }
  if (typeof value === 'string') {
    return nativeIndexOfString(buffer, value, byteOffset, numberOf(encoding), forwards);
  }
  if (isUint8Array(value)) {
    const found = encoding === undefined ? utf8 : findEncoding(encoding) ?? utf8;
    return nativeIndexOfBuffer(buffer, value, byteOffset, encodingNumbers[found.name], forwards);
  }
  throw new ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
}

function indexOf(value, byteOffset, encoding) {
  return find(this, value, byteOffset, encoding, true);
}

function lastIndexOf(value, byteOffset, encoding) {
  return find(this, value, byteOffset, encoding, false);
}

function includes(value, byteOffset, encoding) {
  return this.indexOf(value, byteOffset, encoding) !== -1;
}

module.exports = { includes, indexOf, lastIndexOf };
