'use strict';
// TextEncoder and TextDecoder. UTF-8 and UTF-16 are decoded here, over fast functions of the binding; the
// many others by converters of the binding 'icu'.

const {
  codes: { ERR_ENCODING_NOT_SUPPORTED, ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS },
} = require('internal/errors');
const { validateString } = require('internal/validators');
const { encodeInto, encodeIntoResults, encodeUtf8String, decodeUTF8 } = binding('encoding_binding');

const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

// Node keeps its state in properties with these symbols, and they show in inspection.
const kEncoder = Symbol('encoder');
const kDecoder = Symbol('decoder');
const kFlags = Symbol('flags');
const kEncoding = Symbol('encoding');
const kIgnoreBOM = Symbol('kIgnoreBOM');
const kFatal = Symbol('kFatal');
const kUTF8FastPath = Symbol('kUTF8FastPath');
const kHandle = Symbol('handle');

const FLUSH = 1;
const FATAL = 2;
const IGNORE_BOM = 4;

function checkEncoder(value) {
  if (value?.[kEncoder] !== true) throw new ERR_INVALID_THIS('TextEncoder');
}

function checkDecoder(value) {
  if (value?.[kDecoder] !== true) throw new ERR_INVALID_THIS('TextDecoder');
}

class TextEncoder {
  constructor() {
    this[kEncoder] = true;
  }

  get encoding() {
    checkEncoder(this);
    return 'utf-8';
  }

  encode(input = '') {
    checkEncoder(this);
    return encodeUtf8String(`${input}`);
  }

  encodeInto(src, dest) {
    checkEncoder(this);
    validateString(src, 'src');
    if (Object.prototype.toString.call(dest) !== '[object Uint8Array]' || !ArrayBuffer.isView(dest)) {
      throw new ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', dest);
    }
    encodeInto(src, dest, encodeIntoResults);
    return { read: encodeIntoResults[0], written: encodeIntoResults[1] };
  }

  [inspectCustom](depth, opts) {
    checkEncoder(this);
    if (typeof depth === 'number' && depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return inspect({ encoding: this.encoding }, opts);
  }
}

// What the C++ of Node throws: the code is a property and does not show in the stack.
function withCode(error, code) {
  error.code = code;
  return error;
}

function invalidData(encoding) {
  return withCode(new TypeError(`The encoded data was not valid for encoding ${encoding}`),
    'ERR_ENCODING_INVALID_ENCODED_DATA');
}

// The bytes of a view or a buffer, as a Buffer over the same memory. A transferred one has none.
function bytesOf(input, encoding) {
  if (ArrayBuffer.isView(input) && input.byteLength === 0) return Buffer.alloc(0);
  if (ArrayBuffer.isView(input)) return Buffer.from(input.buffer, input.byteOffset, input.byteLength);
  const { isAnyArrayBuffer } = binding('types');
  if (isAnyArrayBuffer(input)) return input.byteLength === 0 ? Buffer.alloc(0) : Buffer.from(input);
  if (isSingleByte(encoding) || encoding === 'utf-8') throw new ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'ArrayBufferView'], input);
  throw withCode(new TypeError(
    'The "input" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.'),
  'ERR_INVALID_ARG_TYPE');
}

class TextDecoder {
  constructor(encoding = 'utf-8', options = undefined) {
    encoding = `${encoding}`;
    if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('options', 'Object', options);
    }
    const name = encoding === 'utf-8' ? encoding : require('internal/encoding/labels').encodingFromLabel(encoding);
    if (name === undefined || !isSupported(name)) throw new ERR_ENCODING_NOT_SUPPORTED(name ?? encoding);
    const fatal = Boolean(options?.fatal);
    const ignoreBOM = Boolean(options?.ignoreBOM);
    this[kDecoder] = true;
    this[kFlags] = (fatal ? FATAL : 0) | (ignoreBOM ? IGNORE_BOM : 0);
    this[kEncoding] = name;
    this[kIgnoreBOM] = ignoreBOM;
    this[kFatal] = fatal;
    this[kUTF8FastPath] = name === 'utf-8';
    this[kHandle] = undefined;
    if (!this[kUTF8FastPath]) this[kHandle] = makeConverter(this);
  }

  decode(input = new Uint8Array(0), options = undefined) {
    checkDecoder(this);
    if (options != null && typeof options !== 'object' && typeof options !== 'function') {
      throw new ERR_INVALID_ARG_TYPE('options', 'object', options);
    }
    const stream = Boolean(options?.stream);
    // The fast path keeps no state; after a call with `stream` there may be some.
    if (stream) this[kUTF8FastPath] = false;
    if (this[kUTF8FastPath]) return decodeUTF8(input, this[kIgnoreBOM], this[kFatal]);
    this[kHandle] ??= makeConverter(this);
    const bytes = bytesOf(input, this[kEncoding]);
    const handle = this[kHandle];
    if (handle instanceof Converter) return handle.decode(bytes, !stream);
    if (handle instanceof SingleByteConverter) return handle.decode(bytes);
    const flags = stream ? 0 : FLUSH;
    return binding('icu').decode(handle, bytes, flags, this[kEncoding]);
  }

  get encoding() {
    checkDecoder(this);
    return this[kEncoding];
  }

  get fatal() {
    checkDecoder(this);
    return this[kFatal];
  }

  get ignoreBOM() {
    checkDecoder(this);
    return this[kIgnoreBOM];
  }

  [inspectCustom](depth, opts) {
    checkDecoder(this);
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = Object.create({ constructor: this.constructor ?? TextDecoder });
    shown.encoding = this.encoding;
    shown.fatal = this.fatal;
    shown.ignoreBOM = this.ignoreBOM;
    if (opts.showHidden) {
      shown[kFlags] = this[kFlags];
      shown[kHandle] = this[kHandle];
    }
    const { inspect } = require('internal/util/inspect');
    return `${this.constructor?.name || 'TextDecoder'} ${inspect(shown, opts).replace(/^[^{]*/, '')}`;
  }
}

function isSingleByte(encoding) {
  return !encoding.startsWith('utf-') && require('internal/encoding/single-byte').isSinglebyteEncoding(encoding);
}

// ICU has no name for the standard's decoder of gbk, which is that of gb18030.
function icuName(encoding) {
  return encoding === 'gbk' ? 'gb18030' : encoding;
}

function isSupported(encoding) {
  return encoding.startsWith('utf-') || isSingleByte(encoding) || binding('icu').hasConverter(icuName(encoding));
}

// A character is a byte: nothing is kept from one call to the next.
class SingleByteConverter {
  constructor(decoder) {
    const { createSinglebyteDecoder } = require('internal/encoding/single-byte');
    this.decode = createSinglebyteDecoder(decoder[kEncoding], decoder[kFatal]);
  }
}

function makeConverter(decoder) {
  switch (decoder[kEncoding]) {
    case 'utf-8': return new Converter(decoder, decodeWholeUtf8);
    case 'utf-16le': return new Converter(decoder, decodeWholeUtf16);
    case 'utf-16be': return new Converter(decoder, decodeWholeUtf16BE);
    default:
      if (isSingleByte(decoder[kEncoding])) return new SingleByteConverter(decoder);
      return binding('icu').getConverter(icuName(decoder[kEncoding]), decoder[kFlags]);
  }
}

// Decodes a stream: keeps the bytes of a character that is not whole yet, and takes a byte order mark away.
class Converter {
  #encoding;
  #fatal;
  #ignoreBOM;
  #decodeWhole;
  #pending = null;
  #started = false;

  constructor(decoder, decodeWhole) {
    this.#encoding = decoder[kEncoding];
    this.#fatal = decoder[kFatal];
    this.#ignoreBOM = decoder[kIgnoreBOM];
    this.#decodeWhole = decodeWhole;
  }

  decode(bytes, flush) {
    if (this.#pending !== null) bytes = Buffer.concat([this.#pending, bytes]);
    this.#pending = null;
    const keep = flush ? 0 : incompleteEnd(bytes, this.#encoding);
    let text = this.#decodeWhole(bytes.subarray(0, bytes.length - keep), this.#encoding, this.#fatal);
    if (keep > 0) this.#pending = Buffer.from(bytes.subarray(bytes.length - keep));
    if (!this.#started && text.length > 0) {
      this.#started = true;
      if (!this.#ignoreBOM && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    if (flush) this.#started = false;
    return text;
  }
}

// How many bytes at the end begin a character without finishing it.
function incompleteEnd(bytes, encoding) {
  if (encoding === 'utf-8') return incompleteUtf8(bytes);
  const odd = bytes.length % 2;
  const high = bytes[bytes.length - odd - (encoding === 'utf-16le' ? 1 : 2)];
  return (high & 0xfc) === 0xd8 ? odd + 2 : odd;
}

function incompleteUtf8(bytes) {
  const { length } = bytes;
  for (let count = 1; count <= 3 && count <= length; count++) {
    const byte = bytes[length - count];
    if (byte < 0x80) return 0;
    if (byte < 0xc0) continue;
    const whole = byte < 0xc2 ? 0 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 0;
    if (count >= whole) return 0;
    return count === 1 || isSecondByte(byte, bytes[length - count + 1]) ? count : 0;
  }
  return 0;
}

// Some lead bytes narrow what may come next: no overlong forms, no surrogates, nothing above U+10FFFF.
function isSecondByte(lead, byte) {
  switch (lead) {
    case 0xe0: return byte >= 0xa0;
    case 0xed: return byte < 0xa0;
    case 0xf0: return byte >= 0x90;
    case 0xf4: return byte < 0x90;
    default: return true;
  }
}

function decodeWholeUtf8(bytes, encoding, fatal) {
  return bytes.length === 0 ? '' : decodeUTF8(bytes, true, fatal);
}

const loneSurrogates = /\p{Surrogate}/gu;

function decodeWholeUtf16(bytes, encoding, fatal) {
  let end = bytes.length & ~1;
  let cut = end !== bytes.length;
  if ((bytes[end - 1] & 0xfc) === 0xd8) {
    end -= 2;
    cut = true; // half a pair, with half a code unit perhaps: one error
  }
  let text = bytes.toString('utf16le', 0, end);
  if (fatal && (cut || text.search(loneSurrogates) >= 0)) throw invalidData(encoding);
  if (/[\ud800-\udfff]/.test(text)) text = text.replace(loneSurrogates, '\ufffd');
  return cut ? text + '\ufffd' : text;
}

function decodeWholeUtf16BE(bytes, encoding, fatal) {
  const swapped = Buffer.from(bytes);
  for (let i = 0; i + 1 < swapped.length; i += 2) {
    swapped[i] = bytes[i + 1];
    swapped[i + 1] = bytes[i];
  }
  return decodeWholeUtf16(swapped, encoding, fatal);
}

const enumerable = { __proto__: null, enumerable: true };

Object.defineProperties(TextEncoder.prototype, {
  encode: enumerable,
  encodeInto: enumerable,
  encoding: enumerable,
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'TextEncoder' },
});

Object.defineProperties(TextDecoder.prototype, {
  decode: enumerable,
  encoding: enumerable,
  fatal: enumerable,
  ignoreBOM: enumerable,
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'TextDecoder' },
});

module.exports = { TextDecoder, TextEncoder };
