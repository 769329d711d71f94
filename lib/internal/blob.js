'use strict';
// Blob: bytes that do not change, in parts that several blobs may share.

const {
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_INVALID_THIS, ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { validateDictionary } = require('internal/validators');
const { toClampedInteger, toSequence, toText } = require('internal/web/idl_sequence');
const { kClone, kDeserialize, makeTransferable } = require('internal/messaging/transferable');

const kInspect = Symbol.for('nodejs.util.inspect.custom');
const kHandle = Symbol('kHandle'); // the parts, a list of Uint8Array
const kLength = Symbol('kLength');
const kType = Symbol('kType');

const kPieceSize = 65536; // of a file, that a stream reads at once

const kNotPrintable = /[^\u{0020}-\u{007E}]/u;

function isBlob(object) {
  return object?.[kHandle] !== undefined;
}

function checkBlob(value) {
  if (!isBlob(value)) throw new ERR_INVALID_THIS('Blob');
}

function toType(value) {
  const type = `${value}`;
  return kNotPrintable.test(type) ? '' : type.toLowerCase();
}

function toSource(value, context) {
  if (isBlob(value) || isAnyArrayBuffer(value) || isArrayBufferView(value)) return value;
  return toText(value, context);
}

// The parts of a source: copies, since the caller may continue writing to it.
function partsOf(source, endings) {
  if (isBlob(source)) return source[kHandle];
  if (isAnyArrayBuffer(source)) return [new Uint8Array(source).slice()];
  if (isArrayBufferView(source)) {
    return [new Uint8Array(source.buffer, source.byteOffset, source.byteLength).slice()];
  }
  const text = endings === 'native' ? source.replace(/\r\n|\r/g, '\n') : source;
  return [binding('encoding_binding').encodeUtf8String(text)];
}

function addParts(parts, more) {
  for (const part of more) {
    if (part.byteLength > 0) parts.push(part);
  }
}

// A part of a file, which is read when its bytes are asked for. If the file has changed by then, it cannot be.
class FilePart {
  constructor(path, from, to, changed) {
    this.path = path;
    this.from = from;
    this.to = to;
    this.changed = changed;
  }

  get byteLength() {
    return this.to - this.from;
  }

  subarray(first, last) {
    return new FilePart(this.path, this.from + first, this.from + last, this.changed);
  }

  // What a stream reads one after the other. The last has no bytes: reading it only checks whether the file has changed.
  pieces() {
    const pieces = [];
    for (let at = 0; at < this.byteLength; at += kPieceSize) {
      pieces.push(this.subarray(at, Math.min(at + kPieceSize, this.byteLength)));
    }
    pieces.push(this.subarray(this.byteLength, this.byteLength));
    return pieces;
  }

  // callback(error, bytes)
  read(callback) {
    const fs = require('fs');
    fs.open(this.path, 'r', (openError, fd) => {
      if (openError) {
        callback(openError);
        return;
      }
      const finish = (error, bytes) => fs.close(fd, () => callback(error, bytes));
      fs.fstat(fd, (error, stats) => {
        if (error || changeOf(stats) !== this.changed) finish(error ?? new Error('the file has changed'));
        else this.#readAll(fd, new Uint8Array(this.byteLength), 0, finish);
      });
    });
  }

  #readAll(fd, bytes, filled, callback) {
    if (filled === bytes.length) {
      callback(null, bytes);
      return;
    }
    require('fs').read(fd, bytes, filled, bytes.length - filled, this.from + filled, (error, count) => {
      if (error || count === 0) callback(error ?? new Error('the file has become shorter'));
      else this.#readAll(fd, bytes, filled + count, callback);
    });
  }
}

function changeOf({ mtimeMs, size }) {
  return `${size} ${mtimeMs}`;
}

function isFilePart(part) {
  return part instanceof FilePart;
}

function notReadable() {
  const DOMException = require('internal/errors/dom_exception');
  return new DOMException('The blob could not be read', 'NotReadableError');
}

function blobOfFile(path, type) {
  let stats;
  try {
    stats = require('fs').statSync(path);
  } catch {
    return notReadable(); // returned, not thrown
  }
  // Also of an empty file: that it has grown is noticed when it is read.
  const parts = [new FilePart(path, 0, stats.size, changeOf(stats))];
  return makeBlob(Blob, parts, stats.size, toType(type));
}

// callback(error, bytes), at once if the bytes are there.
function readPart(part, callback) {
  if (isFilePart(part)) part.read((error, bytes) => (error ? callback(notReadable()) : callback(null, bytes)));
  else callback(null, part);
}

// Steps through the parts as reading from elsewhere would: each takes a microtask, and
// so does the way to the next. onEnd(error)
function readParts(parts, onPart, onEnd) {
  let next = 0;
  const took = (bytes) => {
    onPart(bytes);
    queueMicrotask(next < parts.length ? () => queueMicrotask(step) : step);
  };
  const step = () => {
    if (next === parts.length) {
      onEnd(null);
      return;
    }
    readPart(parts[next++], (error, bytes) => {
      if (error) onEnd(error);
      else took(bytes);
    });
  };
  step();
}

function concatenate(blob) {
  return new Promise((resolve, reject) => {
    const bytes = new Uint8Array(blob[kLength]);
    let filled = 0;
    readParts(blob[kHandle], (part) => {
      bytes.set(part, filled);
      filled += part.byteLength;
    }, (error) => (error ? reject(error) : resolve(bytes.buffer)));
  });
}

function makeBlob(Class, parts, length, type) {
  const blob = makeTransferable(Class);
  blob[kHandle] = parts;
  blob[kLength] = length;
  blob[kType] = type;
  return blob;
}

class Blob {
  constructor(sources = [], options) {
    const list = toSequence(sources, 'Value', toSource);
    validateDictionary(options, 'options');
    const { endings = 'transparent', type = '' } = options ?? {};
    const endingsText = `${endings}`;
    if (endingsText !== 'transparent' && endingsText !== 'native') {
      throw new ERR_INVALID_ARG_VALUE('options.endings', endingsText);
    }
    const parts = [];
    for (const source of list) addParts(parts, partsOf(source, endingsText));
    let length = 0;
    for (const part of parts) length += part.byteLength;
    return makeBlob(new.target, parts, length, toType(type));
  }

  [kInspect](depth, options) {
    if (depth < 0) return this;
    const { inspect } = require('internal/util/inspect');
    return `Blob ${inspect({ size: this.size, type: this.type }, {
      ...options,
      depth: options.depth == null ? null : options.depth - 1,
    })}`;
  }

  [kClone]() {
    if (this[kHandle].some(isFilePart)) {
      throw new ERR_INVALID_STATE.TypeError('File-backed Blobs are not cloneable');
    }
    return {
      data: { parts: this[kHandle], length: this[kLength], type: this[kType] },
      deserializeInfo: 'internal/blob:ClonedBlob',
    };
  }

  [kDeserialize]({ parts, length, type }) {
    this[kHandle] = parts;
    this[kLength] = length;
    this[kType] = type;
  }

  get type() {
    checkBlob(this);
    return this[kType];
  }

  get size() {
    checkBlob(this);
    return this[kLength];
  }

  slice(start = 0, end = this[kLength], contentType = '') {
    checkBlob(this);
    const size = this[kLength];
    const first = toClampedInteger(start, 'start');
    const last = toClampedInteger(end, 'end');
    const toPosition = (at) => (at < 0 ? Math.max(size + at, 0) : Math.min(at, size));
    const from = toPosition(first);
    const to = Math.max(toPosition(last), from);
    const parts = [];
    let at = 0;
    for (const part of this[kHandle]) {
      const begin = Math.max(from - at, 0);
      const stop = Math.min(to - at, part.byteLength);
      if (begin < stop) parts.push(part.subarray(begin, stop));
      at += part.byteLength;
    }
    return makeBlob(Blob, parts, to - from, toType(contentType));
  }

  arrayBuffer() {
    if (!isBlob(this)) return Promise.reject(new ERR_INVALID_THIS('Blob'));
    return concatenate(this);
  }

  text() {
    if (!isBlob(this)) return Promise.reject(new ERR_INVALID_THIS('Blob'));
    return concatenate(this).then((memory) =>
      binding('encoding_binding').decodeUTF8(memory, false, false));
  }

  bytes() {
    if (!isBlob(this)) return Promise.reject(new ERR_INVALID_THIS('Blob'));
    return concatenate(this).then((memory) => new Uint8Array(memory));
  }

  stream() {
    checkBlob(this);
    const parts = this[kHandle].flatMap((part) => (isFilePart(part) ? part.pieces() : part));
    return require('internal/blob/stream').streamOf(parts, readPart);
  }

  textStream() {
    checkBlob(this);
    const { TextDecoderStream } = require('internal/webstreams/encoding');
    return Reflect.apply(stream, this, []).pipeThrough(new TextDecoderStream());
  }
}

Object.defineProperty(Blob.prototype, Symbol.toStringTag, {
  __proto__: null, configurable: true, value: 'Blob',
});
for (const name of [
  'size', 'type', 'slice', 'stream', 'textStream', 'text', 'arrayBuffer', 'bytes',
]) {
  Object.defineProperty(Blob.prototype, name, { __proto__: null, enumerable: true });
}

// Whatever a program does to the prototype.
const { stream } = Blob.prototype;

// What structuredClone() makes, to be filled in.
function ClonedBlob() {
  return makeTransferable(ClonedBlob);
}
ClonedBlob.prototype = Blob.prototype;

// ---- URLs of blobs ----

const blobsByUrl = new Map(); // id -> blob
let lastId = 0;

function createObjectURL(blob) {
  if (!isBlob(blob)) throw new ERR_INVALID_ARG_TYPE('obj', 'Blob', blob);
  // Like a UUID, of which only uniqueness within this process is needed.
  const random = () => Math.floor(Math.random() * 0x10000).toString(16).padStart(4, '0');
  const number = (++lastId).toString(16).padStart(12, '0');
  const id = `${random()}${random()}-${random()}-4${random().slice(1)}-` +
    `a${random().slice(1)}-${number}`;
  blobsByUrl.set(id, blob);
  return `blob:nodedata:${id}`;
}

function idOf(url) {
  const match = /^blob:nodedata:([^?#]*)$/i.exec(`${url}`);
  return match?.[1];
}

function revokeObjectURL(url) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
  blobsByUrl.delete(idOf(url));
}

function resolveObjectURL(url) {
  const id = idOf(url);
  const blob = id === undefined ? undefined : blobsByUrl.get(id);
  return blob === undefined ? undefined : makeBlob(Blob, blob[kHandle], blob[kLength], blob[kType]);
}

module.exports = { Blob, ClonedBlob, blobOfFile, createObjectURL, isBlob, resolveObjectURL, revokeObjectURL };
