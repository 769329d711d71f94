'use strict';
// Making buffers out of strings, arrays, memory and what resembles them: Buffer.from() and the
// constructor that it replaced.

const {
  codes: { ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_UNKNOWN_ENCODING },
} = require('internal/errors');
const { getOptionValue } = require('internal/options');
const { isAnyArrayBuffer } = require('internal/util/types');
const { findEncoding, utf8 } = require('internal/buffer/encodings');
const { FastBuffer } = require('internal/buffer/fast_buffer');
const { allocate, createMemory, isPooled, writeInPlace } = require('internal/buffer/pool');

// ---- From a string ----

function fromString(string, encodingName) {
  let encoding = utf8;
  if (typeof encodingName === 'string' && encodingName.length > 0) {
    encoding = findEncoding(encodingName);
    if (encoding === undefined) throw new ERR_UNKNOWN_ENCODING(encodingName);
  }
  if (string.length === 0) return new FastBuffer();

  // Counting first would cost as much as writing: what fits in any case is written at once.
  const most = string.length * encoding.most;
  if (isPooled(most)) {
    const buffer = writeInPlace(encoding, string, most);
    if (buffer !== undefined) return buffer;
  }
  const size = encoding.byteLength(string);
  if (isPooled(size)) {
    let buffer = writeInPlace(encoding, string, size);
    if (buffer !== undefined) return buffer;
    buffer = allocate(size);
    const written = encoding.write(buffer, string, 0, size);
    return written === size ? buffer : new FastBuffer(buffer.buffer, buffer.byteOffset, written);
  }
  const buffer = new FastBuffer(createMemory(size));
  const written = encoding.write(buffer, string, 0, size);
  return written === size ? buffer : new FastBuffer(buffer.buffer, 0, written);
}

// ---- From memory ----

function fromArrayBuffer(memory, byteOffset, length) {
  byteOffset = byteOffset === undefined ? 0 : +byteOffset;
  byteOffset = Number.isNaN(byteOffset) ? 0 : Math.trunc(byteOffset);
  const most = memory.byteLength - byteOffset;
  if (most < 0) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
  // Without a length, a buffer over memory that can be resized is always as long as that.
  if (length === undefined) return new FastBuffer(memory, byteOffset, memory.resizable ? undefined : most);
  length = +length;
  if (!(length > 0)) return new FastBuffer(memory, byteOffset, 0);
  if (length > most) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
  return new FastBuffer(memory, byteOffset, length);
}

// ---- From numbers ----

function fromArrayLike(list) {
  if (!(list.length > 0)) return new FastBuffer();
  const buffer = allocate(list.length);
  buffer.set(list);
  return buffer;
}

function fromObject(object) {
  if (object.length !== undefined || isAnyArrayBuffer(object.buffer)) {
    return typeof object.length === 'number' ? fromArrayLike(object) : new FastBuffer();
  }
  // What toJSON() made of a buffer
  if (object.type === 'Buffer' && Array.isArray(object.data)) return fromArrayLike(object.data);
  return undefined;
}

function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const inner = value.valueOf && value.valueOf();
    if (inner != null && inner !== value &&
        (typeof inner === 'string' || typeof inner === 'object')) {
      return from(inner, encodingOrOffset, length);
    }
    const buffer = fromObject(value);
    if (buffer !== undefined) return buffer;
    if (typeof value[Symbol.toPrimitive] === 'function') {
      const primitive = value[Symbol.toPrimitive]('string');
      if (typeof primitive === 'string') return fromString(primitive, encodingOrOffset);
    }
  }
  throw new ERR_INVALID_ARG_TYPE('first argument',
    ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'], value);
}

// ---- The deprecated constructor ----

let hasWarned = false;
let calls = 0;

function warnOfConstructor(Buffer) {
  // Packages do not get the warning: their users cannot heed it. And a program that calls it ten
  // thousand times from packages is to pay for a look at the stack each time.
  if (hasWarned || ++calls > 10000) return;
  if (!getOptionValue('--pending-deprecation') && binding('util').isInsideNodeModules()) return;
  hasWarned = true;
  process.emitWarning(
    'Buffer() is deprecated due to security and usability issues. Please use the Buffer.alloc(), ' +
    'Buffer.allocUnsafe(), or Buffer.from() methods instead.',
    'DeprecationWarning', 'DEP0005', Buffer);
}

module.exports = { from, fromArrayLike, warnOfConstructor };
