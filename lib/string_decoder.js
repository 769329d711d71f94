'use strict';
// Decodes a stream of bytes to strings: a character whose bytes come in several chunks is given with its last.

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_UNKNOWN_ENCODING },
} = require('internal/errors');

const encodings = new Map([
  ['utf8', 'utf8'], ['utf-8', 'utf8'],
  ['ucs2', 'utf16le'], ['ucs-2', 'utf16le'], ['utf16le', 'utf16le'], ['utf-16le', 'utf16le'],
  ['latin1', 'latin1'], ['binary', 'latin1'],
  ['ascii', 'ascii'], ['hex', 'hex'], ['base64', 'base64'], ['base64url', 'base64url'],
]);

function normalizeEncoding(encoding) {
  if (encoding === undefined || encoding === null || encoding === '') return 'utf8';
  const name = typeof encoding === 'string' ?
    encodings.get(encoding) ?? encodings.get(encoding.toLowerCase()) : undefined;
  if (name === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  return name;
}

// The state is one small buffer, as in Node: the bytes of the character that is not whole yet, how many of its
// bytes are missing, how many are there, and a number for the encoding.
const kState = Symbol('kNativeDecoder');
const MISSING = 4;
const BUFFERED = 5;
const ENCODING = 6;
const STATE_SIZE = 7;
const { encodingNumbers } = require('internal/buffer/encoding_numbers');

function StringDecoder(encoding) {
  this.encoding = normalizeEncoding(encoding);
  this[kState] = Buffer.alloc(STATE_SIZE);
  this[kState][ENCODING] = encodingNumbers[this.encoding];
}

StringDecoder.prototype.write = function write(buf) {
  if (typeof buf === 'string') return buf;
  if (!ArrayBuffer.isView(buf)) throw new ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], buf);
  const state = this[kState];
  if (!state) throw new ERR_INVALID_THIS('StringDecoder');
  const bytes = Buffer.isBuffer(buf) ? buf : Buffer.from(buf.buffer, buf.byteOffset, buf.byteLength);
  switch (this.encoding) {
    case 'utf8': return writeUtf8(state, bytes);
    case 'utf16le': return writeUtf16(state, bytes);
    case 'base64': case 'base64url': return writeBase64(state, bytes, this.encoding);
    default: return bytes.toString(this.encoding);
  }
};

StringDecoder.prototype.end = function end(buf) {
  const out = buf === undefined ? '' : this.write(buf);
  const state = this[kState];
  if (state[BUFFERED] === 0) return out;
  // Half a code unit is nothing; half a pair and incomplete UTF-8 show as what they are.
  const length = this.encoding === 'utf16le' ? state[BUFFERED] & ~1 : state[BUFFERED];
  return out + takePending(state, this.encoding, length);
};

StringDecoder.prototype.text = function text(buf, offset) {
  this[kState][MISSING] = 0;
  this[kState][BUFFERED] = 0;
  return this.write(buf.slice(offset));
};

function takePending(state, encoding, length = state[BUFFERED]) {
  state[MISSING] = 0;
  state[BUFFERED] = 0;
  return state.toString(encoding, 0, length);
}

// Takes what is missing, or what there is of it; gives how much that was.
function fillPending(state, bytes) {
  let taken = 0;
  while (taken < bytes.length && state[MISSING] > 0) {
    state[state[BUFFERED]++] = bytes[taken++];
    state[MISSING]--;
  }
  return taken;
}

// Keeps the last `length` bytes for later and gives the text of those from `start` up to them.
function keepEnd(state, bytes, start, length, missing, encoding) {
  const end = bytes.length - length;
  bytes.copy(state, 0, end);
  state[BUFFERED] = length;
  state[MISSING] = missing;
  return start < end ? bytes.toString(encoding, start, end) : '';
}

function writeUtf8(state, bytes) {
  let start = 0;
  let out = '';
  if (state[MISSING] > 0) {
    // A byte that does not continue the character ends it, incomplete as it is.
    while (start < bytes.length && state[MISSING] > 0 && (bytes[start] & 0xc0) === 0x80) {
      state[state[BUFFERED]++] = bytes[start++];
      state[MISSING]--;
    }
    if (start === bytes.length && state[MISSING] > 0) return '';
    out = takePending(state, 'utf8');
  }
  if (start === bytes.length) return out;

  // Is the last character one whose end is not here? Its lead byte shows it.
  if (bytes[bytes.length - 1] >= 0x80) {
    for (let length = 1; length <= 3 && length <= bytes.length - start; length++) {
      const byte = bytes[bytes.length - length];
      if ((byte & 0xc0) === 0x80) continue;
      const whole = (byte & 0xe0) === 0xc0 ? 2 : (byte & 0xf0) === 0xe0 ? 3 : (byte & 0xf8) === 0xf0 ? 4 : 0;
      if (length < whole) return out + keepEnd(state, bytes, start, length, whole - length, 'utf8');
      break;
    }
  }
  return out + bytes.toString('utf8', start);
}

function isLeadSurrogate(highByte) {
  return (highByte & 0xfc) === 0xd8;
}

// A lead surrogate at the end waits for its other half, unless it had to be put together itself.
function writeUtf16(state, bytes) {
  let start = 0;
  let out = '';
  if (state[MISSING] > 0) {
    start = fillPending(state, bytes);
    if (state[MISSING] > 0) return '';
    out = takePending(state, 'utf16le');
  }
  const length = bytes.length - start;
  if (length === 0) return out;
  if (length % 2 === 1) return out + keepEnd(state, bytes, start, 1, 1, 'utf16le');
  if (isLeadSurrogate(bytes[bytes.length - 1])) return out + keepEnd(state, bytes, start, 2, 2, 'utf16le');
  return out + bytes.toString('utf16le', start);
}

function writeBase64(state, bytes, encoding) {
  let start = 0;
  let out = '';
  if (state[MISSING] > 0) {
    start = fillPending(state, bytes);
    if (state[MISSING] > 0) return '';
    out = takePending(state, encoding);
  }
  const rest = (bytes.length - start) % 3;
  if (rest > 0) return out + keepEnd(state, bytes, start, rest, 3 - rest, encoding);
  return start < bytes.length ? out + bytes.toString(encoding, start) : out;
}

Object.defineProperties(StringDecoder.prototype, {
  lastChar: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: named(function() {
      return this[kState].subarray(0, MISSING);
    }),
  },
  lastNeed: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: named(function() {
      return this[kState][MISSING];
    }),
  },
  lastTotal: {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get: named(function() {
      return this[kState][BUFFERED] + this[kState][MISSING];
    }),
  },
});

function named(getter) {
  return Object.defineProperty(getter, 'name', { value: 'get', configurable: true });
}

module.exports = { StringDecoder };
