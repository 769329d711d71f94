'use strict';
// node:buffer. Bytes in memory, as a Uint8Array with the methods of Node: numbers, encodings and
// searching are in internal/buffer/, the copying itself in C++.

const {
  byteLengthUtf8, compare: nativeCompare, compareOffset, copy: nativeCopy,
  fill: nativeFill, isAscii: nativeIsAscii, isUtf8: nativeIsUtf8, kMaxLength, kStringMaxLength,
  setBufferPrototype,
  swap16: nativeSwap16, swap32: nativeSwap32, swap64: nativeSwap64,
  asciiSlice, asciiWrite, base64Slice, base64Write, base64urlSlice, base64urlWrite,
  hexSlice, hexWrite, latin1Slice, latin1Write, ucs2Slice, ucs2Write, utf8Slice, utf8Write,
} = binding('buffer');
const { defineLazyProperties } = binding('util');
const {
  codes: {
    ERR_BUFFER_OUT_OF_BOUNDS, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_BUFFER_SIZE,
    ERR_OUT_OF_RANGE, ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const {
  validateArray, validateInteger, validateNumber, validateString,
} = require('internal/validators');
const {
  isAnyArrayBuffer, isArrayBufferView, isTypedArray, isUint8Array,
} = require('internal/util/types');
const { atob, btoa } = require('internal/encoding/base64');
const { findEncoding, normalizeEncoding } = require('internal/buffer/encodings');
const { FastBuffer } = require('internal/buffer/fast_buffer');
const {
  alignmentPadding, allocate, allocateAligned, createAligned, createMemory, setPoolSettings,
} = require('internal/buffer/pool');
const { from, fromArrayLike, warnOfConstructor } = require('internal/buffer/construct');
const numbersRead = require('internal/buffer/read_numbers');
const numbersWritten = require('internal/buffer/write_numbers');
const { includes, indexOf, lastIndexOf } = require('internal/buffer/search');
const { FillFailure } = require('internal/native/enums');
const { getMaxBytes, inspect, setMaxBytes } = require('internal/buffer/inspect');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

// The real properties of the memory of a view, whatever properties of these names a program added.
const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const { call } = Function.prototype;
const getByteLength =
  call.bind(Object.getOwnPropertyDescriptor(TypedArrayPrototype, 'byteLength').get);
const fillArray = call.bind(TypedArrayPrototype.fill);
const setArray = call.bind(TypedArrayPrototype.set);

function checkBuffer(value, name) {
  if (!isUint8Array(value)) throw new ERR_INVALID_ARG_TYPE(name, ['Buffer', 'Uint8Array'], value);
}

function validateOffset(value, name, min = 0, max = kMaxLength) {
  validateInteger(value, name, min, max);
}

function validateSize(size) {
  validateNumber(size, 'size', 0, kMaxLength);
}

// ---- Making buffers ----

function Buffer(arg, encodingOrOffset, length) {
  warnOfConstructor(Buffer);
  if (typeof arg === 'number') {
    if (typeof encodingOrOffset === 'string') {
      throw new ERR_INVALID_ARG_TYPE('string', 'string', arg);
    }
    return Buffer.alloc(arg);
  }
  return Buffer.from(arg, encodingOrOffset, length);
}

Buffer.prototype = FastBuffer.prototype;
Object.setPrototypeOf(Buffer, Uint8Array);
Object.defineProperty(Buffer.prototype, 'constructor', {
  __proto__: null, value: Buffer, writable: true, enumerable: false, configurable: true,
});
Object.defineProperty(Buffer, Symbol.species, {
  __proto__: null,
  get: { get() { return FastBuffer; } }.get,
  enumerable: false,
  configurable: true,
});

// For buffers that are made in C++.
setBufferPrototype(Buffer.prototype);

Buffer.poolSize = 64 * 1024;
setPoolSettings(Buffer);

Buffer.from = from;

Buffer.copyBytesFrom = function copyBytesFrom(view, offset, length) {
  if (!isTypedArray(view)) throw new ERR_INVALID_ARG_TYPE('view', ['TypedArray'], view);
  const viewLength = view.length;
  if (viewLength === 0) return new FastBuffer();
  let start = 0;
  let end = viewLength;
  if (offset !== undefined) {
    validateInteger(offset, 'offset', 0);
    if (offset >= viewLength) return new FastBuffer();
    start = offset;
  }
  if (length !== undefined) {
    validateInteger(length, 'length', 0);
    end = Math.min(start + length, viewLength);
  }
  const size = view.BYTES_PER_ELEMENT;
  return fromArrayLike(
    new Uint8Array(view.buffer, view.byteOffset + start * size, (end - start) * size));
};

Buffer.of = function of(...items) {
  const buffer = allocate(items.length);
  for (let i = 0; i < items.length; i++) buffer[i] = items[i];
  return buffer;
};

Buffer.alloc = function alloc(size, fill, encoding) {
  validateSize(size);
  if (fill !== undefined && fill !== 0 && size > 0) {
    const buffer = new FastBuffer(createMemory(size));
    return fillBytes(buffer, fill, 0, buffer.length, encoding);
  }
  return new FastBuffer(size);
};

// Far above what devices ask of the memory for direct input and output.
const kMaxAlignment = 2 ** 30;

function validateAlignment(size, alignment) {
  validateInteger(alignment, 'alignment', 1, kMaxAlignment);
  if ((alignment & (alignment - 1)) !== 0) {
    throw new ERR_INVALID_ARG_VALUE('alignment', alignment, 'must be a power of two');
  }
  const most = kMaxLength - alignmentPadding(alignment);
  if (size > most) throw new ERR_OUT_OF_RANGE('size', `<= ${most}`, size);
}

Buffer.allocUnsafe = function allocUnsafe(size, alignment) {
  validateSize(size);
  size = Math.trunc(size);
  if (alignment === undefined) return allocate(size);
  validateAlignment(size, alignment);
  return allocateAligned(size, alignment);
};

Buffer.allocUnsafeSlow = function allocUnsafeSlow(size, alignment) {
  validateSize(size);
  size = Math.trunc(size);
  if (alignment === undefined) return new FastBuffer(createMemory(size));
  validateAlignment(size, alignment);
  return createAligned(size, alignment);
};

// ---- Functions of Buffer ----

Buffer.isBuffer = function isBuffer(b) {
  return b instanceof Buffer;
};

Buffer.compare = function compare(buf1, buf2) {
  checkBuffer(buf1, 'buf1');
  checkBuffer(buf2, 'buf2');
  return buf1 === buf2 ? 0 : nativeCompare(buf1, buf2);
};

Buffer.isEncoding = function isEncoding(encoding) {
  return typeof encoding === 'string' && encoding.length !== 0 &&
    normalizeEncoding(encoding) !== undefined;
};
// Modules written for old versions of Node find the function under this.
Buffer[Symbol('kIsEncodingSymbol')] = Buffer.isEncoding;

Buffer.concat = function concat(list, length) {
  validateArray(list, 'list');
  if (list.length === 0) return new FastBuffer();
  if (length === undefined) {
    length = 0;
    for (let i = 0; i < list.length; i++) {
      checkBuffer(list[i], `list[${i}]`);
      length += getByteLength(list[i]); // its property `length` may be of the program's making
    }
  } else {
    validateOffset(length, 'length');
  }
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  for (let i = 0; i < list.length; i++) {
    checkBuffer(list[i], `list[${i}]`);
    filled += copyBytes(list[i], buffer, filled, 0,
      Math.min(getByteLength(list[i]), length - filled));
  }
  if (filled < length) fillArray(buffer, 0, filled, length);
  return buffer;
};

function byteLength(string, encoding) {
  if (typeof string !== 'string') {
    if (isArrayBufferView(string) || isAnyArrayBuffer(string)) return string.byteLength;
    throw new ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], string);
  }
  if (string.length === 0) return 0;
  if (encoding) {
    const found = findEncoding(encoding);
    if (found !== undefined) return found.byteLength(string);
  }
  return byteLengthUtf8(string);
}
Buffer.byteLength = byteLength;

// ---- Methods: numbers ----

const {
  readBigUInt64LE, readBigUInt64BE, readBigInt64LE, readBigInt64BE,
  readUIntLE, readUInt32LE, readUInt16LE, readUInt8, readUIntBE, readUInt32BE, readUInt16BE,
  readIntLE, readInt32LE, readInt16LE, readInt8, readIntBE, readInt32BE, readInt16BE,
} = numbersRead;
const {
  writeBigUInt64LE, writeBigUInt64BE, writeBigInt64LE, writeBigInt64BE,
  writeUIntLE, writeUInt32LE, writeUInt16LE, writeUInt8, writeUIntBE, writeUInt32BE, writeUInt16BE,
  writeIntLE, writeInt32LE, writeInt16LE, writeInt8, writeIntBE, writeInt32BE, writeInt16BE,
} = numbersWritten;

// Some have two names.
// Without a name, as Node's are.
function checkedWrite(write) {
  return function(string, offset, length) {
    const { byteLength } = this;
    offset = offset === undefined ? 0 : Number(offset);
    if (offset < 0 || offset > byteLength) throw new ERR_BUFFER_OUT_OF_BOUNDS('offset');
    length = length === undefined ? byteLength - offset : Number(length);
    if (length < 0 || length > byteLength - offset) throw new ERR_BUFFER_OUT_OF_BOUNDS('length');
    return Reflect.apply(write, this, [string, offset, length]);
  };
}

const checkedUtf8Write = checkedWrite(utf8Write);

Object.assign(Buffer.prototype, {
  readBigUInt64LE, readBigUInt64BE,
  readBigUint64LE: readBigUInt64LE, readBigUint64BE: readBigUInt64BE,
  readBigInt64LE, readBigInt64BE,
  writeBigUInt64LE, writeBigUInt64BE,
  writeBigUint64LE: writeBigUInt64LE, writeBigUint64BE: writeBigUInt64BE,
  writeBigInt64LE, writeBigInt64BE,
  readUIntLE, readUInt32LE, readUInt16LE, readUInt8, readUIntBE, readUInt32BE, readUInt16BE,
  readUintLE: readUIntLE, readUint32LE: readUInt32LE, readUint16LE: readUInt16LE,
  readUint8: readUInt8,
  readUintBE: readUIntBE, readUint32BE: readUInt32BE, readUint16BE: readUInt16BE,
  readIntLE, readInt32LE, readInt16LE, readInt8, readIntBE, readInt32BE, readInt16BE,
  writeUIntLE, writeUInt32LE, writeUInt16LE, writeUInt8, writeUIntBE, writeUInt32BE, writeUInt16BE,
  writeUintLE: writeUIntLE, writeUint32LE: writeUInt32LE, writeUint16LE: writeUInt16LE,
  writeUint8: writeUInt8,
  writeUintBE: writeUIntBE, writeUint32BE: writeUInt32BE, writeUint16BE: writeUInt16BE,
  writeIntLE, writeInt32LE, writeInt16LE, writeInt8, writeIntBE, writeInt32BE, writeInt16BE,
  readFloatLE: numbersRead.readFloatForwards,
  readFloatBE: numbersRead.readFloatBackwards,
  readDoubleLE: numbersRead.readDoubleForwards,
  readDoubleBE: numbersRead.readDoubleBackwards,
  writeFloatLE: numbersWritten.writeFloatForwards,
  writeFloatBE: numbersWritten.writeFloatBackwards,
  writeDoubleLE: numbersWritten.writeDoubleForwards,
  writeDoubleBE: numbersWritten.writeDoubleBackwards,

  asciiSlice, base64Slice, base64urlSlice, latin1Slice, hexSlice, ucs2Slice, utf8Slice,
  asciiWrite: checkedWrite(asciiWrite),
  base64Write,
  base64urlWrite,
  latin1Write: checkedWrite(latin1Write),
  hexWrite,
  ucs2Write,
  utf8Write: checkedUtf8Write,
});

// As many parameters as Node's functions of C++ have.
for (const [method, count] of [
  [readUInt8, 1], [readUInt16LE, 1], [readUInt16BE, 1], [readUInt32LE, 1], [readUInt32BE, 1],
  [readInt8, 1], [readInt16LE, 1], [readInt16BE, 1], [readInt32LE, 1], [readInt32BE, 1],
  [asciiSlice, 2], [base64Slice, 2], [base64urlSlice, 2], [latin1Slice, 2], [hexSlice, 2], [ucs2Slice, 2], [utf8Slice, 2],
  [base64Write, 3], [base64urlWrite, 3], [hexWrite, 3], [ucs2Write, 3],
]) {
  Object.defineProperty(method, 'length', { __proto__: null, value: count, configurable: true });
}

// ---- Methods: the memory ----

Object.defineProperty(Buffer.prototype, 'parent', {
  __proto__: null,
  enumerable: true,
  get: { get() { return this instanceof Buffer ? this.buffer : undefined; } }.get,
});
Object.defineProperty(Buffer.prototype, 'offset', {
  __proto__: null,
  enumerable: true,
  get: { get() { return this instanceof Buffer ? this.byteOffset : undefined; } }.get,
});

// What is not a number, or beyond exact ones, counts as `fallback`.
function toInteger(value, fallback) {
  value = +value;
  if (value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER) {
    return Math.floor(value);
  }
  return fallback;
}

// Gives how many bytes it copied.
function copyBytes(source, target, targetStart, sourceStart, size) {
  if (size <= 0) return 0;
  // All of it: V8 has that without a call to C++, but refuses memory that is immutable.
  if (sourceStart === 0 && isUint8Array(target) && isUint8Array(source) && size === getByteLength(source)) {
    try {
      setArray(target, source, targetStart);
      return size;
    } catch (error) {
      if (!target.buffer.immutable && !source.buffer.immutable) throw error;
    }
  }
  return nativeCopy(source, target, targetStart, sourceStart, size);
}

Buffer.prototype.copy = function copy(target, targetStart, sourceStart, sourceEnd) {
  // The bytes of any view will do.
  if (!isArrayBufferView(this)) throw new ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], this);
  if (!isArrayBufferView(target)) throw new ERR_INVALID_ARG_TYPE('target', ['Buffer', 'Uint8Array'], target);
  const length = this.byteLength;
  if (targetStart === undefined) {
    targetStart = 0;
  } else {
    targetStart = toInteger(targetStart, 0);
    if (targetStart < 0) throw new ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
  }
  if (sourceStart === undefined) {
    sourceStart = 0;
  } else {
    sourceStart = toInteger(sourceStart, 0);
    if (sourceStart < 0 || sourceStart > length) {
      throw new ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${length}`, sourceStart);
    }
  }
  if (sourceEnd === undefined) {
    sourceEnd = length;
  } else {
    sourceEnd = toInteger(sourceEnd, 0);
    if (sourceEnd < 0) throw new ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
    if (sourceEnd > length) sourceEnd = length;
  }
  return copyBytes(this, target, targetStart, sourceStart,
    Math.min(sourceEnd - sourceStart, target.byteLength - targetStart));
};

// ---- Methods: strings ----

Buffer.prototype.toString = function toString(encoding, start, end) {
  if (arguments.length === 0) return utf8Slice.call(this, 0, this.length);
  const { length } = this;
  if (start <= 0) {
    start = 0;
  } else if (start >= length) {
    return '';
  } else {
    start = Math.trunc(start) || 0;
  }
  if (end === undefined || end > length) {
    end = length;
  } else {
    end = Math.trunc(end) || 0;
  }
  if (end <= start) return '';
  if (encoding === undefined) return utf8Slice.call(this, start, end);
  const found = findEncoding(encoding);
  if (found === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  return found.slice(this, start, end);
};

Buffer.prototype.equals = function equals(otherBuffer) {
  checkBuffer(otherBuffer, 'otherBuffer');
  if (this === otherBuffer) return true;
  if (this.byteLength !== otherBuffer.byteLength) return false;
  return this.byteLength === 0 || nativeCompare(this, otherBuffer) === 0;
};

Buffer.prototype[kInspect] = inspect;
Buffer.prototype.inspect = inspect;

Buffer.prototype.compare = function compare(target, targetStart, targetEnd, sourceStart,
  sourceEnd) {
  checkBuffer(target, 'target');
  if (arguments.length === 1) return nativeCompare(this, target);
  if (targetStart === undefined) targetStart = 0;
  else validateOffset(targetStart, 'targetStart');
  if (targetEnd === undefined) targetEnd = target.length;
  else validateOffset(targetEnd, 'targetEnd', 0, target.length);
  if (sourceStart === undefined) sourceStart = 0;
  else validateOffset(sourceStart, 'sourceStart');
  if (sourceEnd === undefined) sourceEnd = this.length;
  else validateOffset(sourceEnd, 'sourceEnd', 0, this.length);
  if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
  if (targetStart >= targetEnd) return 1;
  return compareOffset(this, target, targetStart, sourceStart, targetEnd, sourceEnd);
};

Buffer.prototype.indexOf = indexOf;
Buffer.prototype.lastIndexOf = lastIndexOf;
Buffer.prototype.includes = includes;

// ---- Methods: filling and writing ----

function fillBytes(buffer, value, offset, end, encoding) {
  if (typeof value === 'string') {
    if (offset === undefined || typeof offset === 'string') {
      encoding = offset;
      offset = 0;
      end = buffer.length;
    } else if (typeof end === 'string') {
      encoding = end;
      end = buffer.length;
    }
    const normalized = normalizeEncoding(encoding);
    if (normalized === undefined) {
      validateString(encoding, 'encoding');
      throw new ERR_UNKNOWN_ENCODING(encoding);
    }
    encoding = normalized;
    if (value.length === 0) {
      value = 0;
    } else if (value.length === 1) {
      const code = value.charCodeAt(0);
      if ((normalized === 'utf8' && code < 128) || (normalized === 'latin1' && code < 256)) {
        value = code;
      }
    }
  } else {
    encoding = undefined;
  }

  if (offset === undefined) {
    offset = 0;
    end = buffer.length;
  } else {
    validateOffset(offset, 'offset');
    if (end === undefined) end = buffer.length;
    else validateOffset(end, 'end', 0, buffer.length);
    if (offset >= end) return buffer;
  }

  if (typeof value !== 'string' && !isArrayBufferView(value)) {
    if (end > getByteLength(buffer)) throw new ERR_BUFFER_OUT_OF_BOUNDS();
    return fillArray(buffer, +value & 255, offset, end);
  }
  const result = nativeFill(buffer, value, offset, end, encoding);
  if (result === FillFailure.nothingToFillWith) throw new ERR_INVALID_ARG_VALUE('value', value);
  if (result === FillFailure.outOfBounds) throw new ERR_BUFFER_OUT_OF_BOUNDS();
  return buffer;
}

Buffer.prototype.fill = function fill(value, offset, end, encoding) {
  return fillBytes(this, value, offset, end, encoding);
};

Buffer.prototype.write = function write(string, offset, length, encoding) {
  if (offset === undefined) return checkedUtf8Write.call(this, string, 0, this.length);
  if (length === undefined && typeof offset === 'string') {
    encoding = offset;
    length = this.length;
    offset = 0;
  } else {
    validateOffset(offset, 'offset', 0, this.length);
    const remaining = this.length - offset;
    if (length === undefined) {
      length = remaining;
    } else if (typeof length === 'string') {
      encoding = length;
      length = remaining;
    } else {
      validateOffset(length, 'length', 0, this.length);
      if (length > remaining) length = remaining;
    }
  }
  if (!encoding) return checkedUtf8Write.call(this, string, offset, length);
  const found = findEncoding(encoding);
  if (found === undefined) throw new ERR_UNKNOWN_ENCODING(encoding);
  return found.write(this, string, offset, length);
};

Buffer.prototype.toJSON = function toJSON() {
  return { type: 'Buffer', data: this.length > 0 ? Array.from(this) : [] };
};

// ---- Methods: parts of a buffer ----

function toPosition(offset, length) {
  offset = Math.trunc(offset);
  if (offset === 0 || Number.isNaN(offset)) return 0;
  if (offset < 0) return Math.max(offset + length, 0);
  return Math.min(offset, length);
}

Buffer.prototype.subarray = function subarray(start, end) {
  const { length } = this;
  start = toPosition(start, length);
  end = end === undefined ? length : toPosition(end, length);
  return new FastBuffer(this.buffer, this.byteOffset + start, end > start ? end - start : 0);
};

Buffer.prototype.slice = function slice(start, end) {
  return this.subarray(start, end);
};

// ---- Methods: the order of bytes ----

// For a few bytes a loop is faster than a call to C++.
function reverseGroups(buffer, size) {
  for (let group = 0; group < buffer.length; group += size) {
    for (let low = group, high = group + size - 1; low < high; low++, high--) {
      const byte = buffer[low];
      buffer[low] = buffer[high];
      buffer[high] = byte;
    }
  }
  return buffer;
}

Buffer.prototype.swap16 = function swap16() {
  if (this.length % 2 !== 0) throw new ERR_INVALID_BUFFER_SIZE('16-bits');
  return this.length < 128 ? reverseGroups(this, 2) : nativeSwap16(this);
};

Buffer.prototype.swap32 = function swap32() {
  if (this.length % 4 !== 0) throw new ERR_INVALID_BUFFER_SIZE('32-bits');
  return this.length < 192 ? reverseGroups(this, 4) : nativeSwap32(this);
};

Buffer.prototype.swap64 = function swap64() {
  if (this.length % 8 !== 0) throw new ERR_INVALID_BUFFER_SIZE('64-bits');
  return this.length < 192 ? reverseGroups(this, 8) : nativeSwap64(this);
};

Buffer.prototype.toLocaleString = Buffer.prototype.toString;

// ---- The module ----

function checkBytes(input) {
  if (!isTypedArray(input) && !isAnyArrayBuffer(input)) {
    throw new ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
  }
}

function isUtf8(input) {
  checkBytes(input);
  return nativeIsUtf8(input);
}

function isAscii(input) {
  checkBytes(input);
  return nativeIsAscii(input);
}

function transcode(source, fromEncoding, toEncoding) {
  return require('internal/buffer/transcode').transcode(source, fromEncoding, toEncoding);
}

module.exports = {
  Buffer,
  transcode,
  isUtf8,
  isAscii,
  kMaxLength,
  kStringMaxLength,
  btoa,
  atob,
};

Object.defineProperty(module.exports, 'constants', {
  __proto__: null,
  configurable: false,
  enumerable: true,
  value: Object.defineProperties({}, {
    MAX_LENGTH: { __proto__: null, value: kMaxLength, writable: false, enumerable: true },
    MAX_STRING_LENGTH: { __proto__: null, value: kStringMaxLength, writable: false, enumerable: true },
  }),
});
Object.defineProperty(module.exports, 'INSPECT_MAX_BYTES', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get: { get() { return getMaxBytes(); } }.get,
  set: { set(value) { setMaxBytes(value); } }.set,
});

// Rarely used and large: loaded on first use.
defineLazyProperties(module.exports, ['Blob', 'resolveObjectURL'], 'internal/blob', true);
defineLazyProperties(module.exports, ['File'], 'internal/blob/file', true);
