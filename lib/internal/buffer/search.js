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

// Forwards from byteOffset, or backwards from it; only in what is before `end`, which may be left out before the encoding.
function find(buffer, value, byteOffset, end, encoding, forwards) {
  validateBuffer(buffer);
  if (typeof end === 'string') {
    encoding = end;
    end = undefined;
  }
  end = end === undefined ? buffer.byteLength : +end;
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
    return nativeIndexOfNumber(buffer, value >>> 0, byteOffset, forwards, end);
  }
  if (typeof value === 'string') {
    return nativeIndexOfString(buffer, value, byteOffset, numberOf(encoding), forwards, end);
  }
  if (isUint8Array(value)) {
    const found = encoding === undefined ? utf8 : findEncoding(encoding) ?? utf8;
    return nativeIndexOfBuffer(buffer, value, byteOffset, encodingNumbers[found.name], forwards, end);
  }
  throw new ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
}

function indexOf(value, byteOffset, end, encoding) {
  return find(this, value, byteOffset, end, encoding, true);
}

function lastIndexOf(value, byteOffset, end, encoding) {
  return find(this, value, byteOffset, end, encoding, false);
}

function includes(value, byteOffset, end, encoding) {
  return find(this, value, byteOffset, end, encoding, true) !== -1;
}

module.exports = { includes, indexOf, lastIndexOf };
