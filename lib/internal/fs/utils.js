'use strict';
// What the three faces of node:fs (callbacks, Sync, promises) share: their arguments.

const {
  AbortError, codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE }, hideStackFrames,
} = require('internal/errors');
const { toPathIfFileURL } = require('internal/url');
const { isArrayBufferView, isDate, isUint8Array } = require('internal/util/types');
const {
  validateAbortSignal, validateBoolean, validateFunction, validateInt32, validateInteger, validateObject,
  validateOneOf, validateUint32,
} = require('internal/validators');
const { Buffer } = require('buffer');

const constants = binding('constants').fs;
const {
  F_OK, O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_SYNC, O_TRUNC, O_WRONLY, S_IFBLK, S_IFCHR,
  S_IFDIR, S_IFIFO, S_IFLNK, S_IFMT, S_IFREG, S_IFSOCK, UV_DIRENT_BLOCK, UV_DIRENT_CHAR,
  UV_DIRENT_DIR, UV_DIRENT_FIFO, UV_DIRENT_FILE, UV_DIRENT_LINK, UV_DIRENT_SOCKET,
  UV_DIRENT_UNKNOWN,
} = constants;

const kMaxSafe = Number.MAX_SAFE_INTEGER;
const kMostAtOnce = 2 ** 31 - 1; // bytes, in one system call

// ---- Paths ----

const validatePath = hideStackFrames((path, name = 'path') => {
  if (typeof path !== 'string' && !isUint8Array(path)) {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], path);
  }
  if (typeof path === 'string' ? path.includes('\0') : path.includes(0)) {
    throw new ERR_INVALID_ARG_VALUE(name, path,
      'must be a string, Uint8Array, or URL without null bytes');
  }
});

function getValidatedPath(fileURLOrPath, name = 'path') {
  const path = toPathIfFileURL(fileURLOrPath);
  validatePath(path, name);
  return path;
}

function getValidatedFd(fd, name = 'fd') {
  if (Object.is(fd, -0)) return 0;
  validateInt32(fd, name, 0);
  return fd;
}

// ---- Options ----

function assertEncoding(encoding) {
  if (encoding && !Buffer.isEncoding(encoding)) {
    throw new ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
  }
}

const kNoOptions = Object.freeze({ __proto__: null });

// An encoding, or an object, or nothing; the callback may come in this position.
function getOptions(options, defaults = kNoOptions) {
  if (options == null || typeof options === 'function') return defaults;
  if (typeof options === 'string') options = { ...defaults, encoding: options };
  else if (typeof options !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options);
  }
  if (options.encoding !== 'buffer') assertEncoding(options.encoding);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

function copyObject(source) {
  const target = {};
  for (const key in source) target[key] = source[key];
  return target;
}

// What calls `callback` with an AbortError as soon as the signal is aborted, and not again. Null if that is so already.
function boundToSignal(signal, callback) {
  if (signal === undefined) return callback;
  validateAbortSignal(signal, 'options.signal');
  const abort = () => callback(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
    return null;
  }
  let aborted = false;
  const onAbort = () => {
    aborted = true;
    abort();
  };
  const { kResistStopPropagation } = require('internal/event_target');
  signal.addEventListener('abort', onAbort, { __proto__: null, once: true, [kResistStopPropagation]: true });
  return (error, value) => {
    signal.removeEventListener('abort', onAbort);
    if (!aborted) callback(error, value);
  };
}

function validateCallback(callback) {
  validateFunction(callback, 'cb');
}

// ---- Numbers ----

const kFlags = {
  '__proto__': null,
  'r': O_RDONLY,
  'rs': O_RDONLY | O_SYNC,
  'r+': O_RDWR,
  'rs+': O_RDWR | O_SYNC,
  'w': O_TRUNC | O_CREAT | O_WRONLY,
  'wx': O_TRUNC | O_CREAT | O_WRONLY | O_EXCL,
  'w+': O_TRUNC | O_CREAT | O_RDWR,
  'wx+': O_TRUNC | O_CREAT | O_RDWR | O_EXCL,
  'a': O_APPEND | O_CREAT | O_WRONLY,
  'ax': O_APPEND | O_CREAT | O_WRONLY | O_EXCL,
  'as': O_APPEND | O_CREAT | O_WRONLY | O_SYNC,
  'a+': O_APPEND | O_CREAT | O_RDWR,
  'ax+': O_APPEND | O_CREAT | O_RDWR | O_EXCL,
  'as+': O_APPEND | O_CREAT | O_RDWR | O_SYNC,
};
for (const [name, other] of [
  ['rs', 'sr'], ['rs+', 'sr+'], ['wx', 'xw'], ['wx+', 'xw+'], ['ax', 'xa'], ['as', 'sa'],
  ['ax+', 'xa+'], ['as+', 'sa+'],
]) {
  kFlags[other] = kFlags[name];
}

function stringToFlags(flags, name = 'flags') {
  if (typeof flags === 'number') {
    validateInt32(flags, name);
    return flags;
  }
  if (flags == null) return O_RDONLY;
  const number = kFlags[flags];
  if (number === undefined) throw new ERR_INVALID_ARG_VALUE(name, flags);
  return number;
}

// Of access() and copyFile(): in Node these are checked in C++, with words of their own.
function getValidMode(mode, most = 7) {
  if (mode == null) return F_OK;
  if (typeof mode !== 'number') {
    const error = new TypeError('mode must be int32 or null/undefined');
    error.code = 'ERR_INVALID_ARG_TYPE';
    throw error;
  }
  mode = Math.trunc(mode); // a fraction is dropped
  if (!(mode >= 0 && mode <= most)) {
    const limits = Number.isFinite(mode) ? `: >= 0 && <= ${most}` : '';
    const error = new RangeError(`mode is out of range${limits}`);
    error.code = 'ERR_OUT_OF_RANGE';
    throw error;
  }
  return mode;
}

// Seconds since 1970.
function toUnixTimestamp(time, name = 'time') {
  if (typeof time === 'string' && +time == time) return +time; // eslint-disable-line eqeqeq
  if (Number.isFinite(time)) return time < 0 ? Date.now() / 1000 : time;
  if (isDate(time)) return time.getTime() / 1000;
  throw new ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
}

const kMostOwner = 2 ** 32 - 1;

function validateOwner(uid, gid) {
  validateInteger(uid, 'uid', -1, kMostOwner);
  validateInteger(gid, 'gid', -1, kMostOwner);
}

// ---- Buffers ----

const validateOffsetLengthRead = hideStackFrames((offset, length, bufferLength) => {
  if (offset < 0) throw new ERR_OUT_OF_RANGE('offset', '>= 0', offset);
  if (length < 0) throw new ERR_OUT_OF_RANGE('length', '>= 0', length);
  if (offset + length > bufferLength) {
    throw new ERR_OUT_OF_RANGE('length', `<= ${bufferLength - offset}`, length);
  }
});

const validateOffsetLengthWrite = hideStackFrames((offset, length, byteLength) => {
  if (offset > byteLength) throw new ERR_OUT_OF_RANGE('offset', `<= ${byteLength}`, offset);
  if (length > byteLength - offset) {
    throw new ERR_OUT_OF_RANGE('length', `<= ${byteLength - offset}`, length);
  }
  if (length < 0) throw new ERR_OUT_OF_RANGE('length', '>= 0', length);
  validateInt32(length, 'length', 0);
});

// Null and anything below 0: the position of the descriptor.
const validatePosition = hideStackFrames((position, name, length) => {
  if (typeof position === 'number') {
    validateInteger(position, name, -1);
  } else if (typeof position === 'bigint') {
    const most = 2n ** 63n - 1n - BigInt(length);
    if (!(position >= -1n && position <= most)) {
      throw new ERR_OUT_OF_RANGE(name, `>= -1 && <= ${most}`, position);
    }
  } else {
    throw new ERR_INVALID_ARG_TYPE(name, ['integer', 'bigint'], position);
  }
});

const validateBufferArray = hideStackFrames((buffers, name = 'buffers') => {
  if (!Array.isArray(buffers)) throw new ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers);
  for (let i = 0; i < buffers.length; i++) {
    if (!isArrayBufferView(buffers[i])) {
      throw new ERR_INVALID_ARG_TYPE(name, 'ArrayBufferView[]', buffers);
    }
  }
  return buffers;
});

const validateStringAfterArrayBufferView = hideStackFrames((buffer, name) => {
  if (typeof buffer !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'TypedArray', 'DataView'], buffer);
  }
});

let warnedOfTemplate = false;

// mkdtemp() adds six of them, which some systems would take for more.
function warnOfTemplate(prefix) {
  const isPortable = typeof prefix === 'string' ? !prefix.endsWith('X') : prefix[prefix.length - 1] !== 0x58;
  if (isPortable || warnedOfTemplate) return;
  warnedOfTemplate = true;
  process.emitWarning('mkdtemp() templates ending with X are not portable. ' +
    'For details see: https://nodejs.org/api/fs.html');
}

// It matters on Windows only.
function validateLinkType(type) {
  if (type != null) validateOneOf(type, 'type', ['dir', 'file', 'junction', null, undefined]);
}

// ---- Options of rm and rmdir ----

const kRmDefaults = { recursive: false, force: false, retryDelay: 100, maxRetries: 0 };

function validateRmdirOptions(options) {
  if (options !== undefined) validateObject(options, 'options');
}

function validateRmOptions(options) {
  if (options === undefined) return kRmDefaults;
  validateObject(options, 'options');
  options = { ...kRmDefaults, ...options };
  validateBoolean(options.force, 'options.force');
  validateBoolean(options.recursive, 'options.recursive');
  validateInt32(options.retryDelay, 'options.retryDelay', 0);
  validateUint32(options.maxRetries, 'options.maxRetries');
  return options;
}

// ---- Entries of folders ----

const kType = Symbol('type');

class Dirent {
  constructor(name, type, path) {
    this.name = name;
    this.parentPath = path;
    this[kType] = type;
  }

  isDirectory() {
    return this[kType] === UV_DIRENT_DIR;
  }

  isFile() {
    return this[kType] === UV_DIRENT_FILE;
  }

  isBlockDevice() {
    return this[kType] === UV_DIRENT_BLOCK;
  }

  isCharacterDevice() {
    return this[kType] === UV_DIRENT_CHAR;
  }

  isSymbolicLink() {
    return this[kType] === UV_DIRENT_LINK;
  }

  isFIFO() {
    return this[kType] === UV_DIRENT_FIFO;
  }

  isSocket() {
    return this[kType] === UV_DIRENT_SOCKET;
  }
}

const kTypesOfModes = new Map([
  [S_IFREG, UV_DIRENT_FILE], [S_IFDIR, UV_DIRENT_DIR], [S_IFLNK, UV_DIRENT_LINK],
  [S_IFIFO, UV_DIRENT_FIFO], [S_IFSOCK, UV_DIRENT_SOCKET], [S_IFCHR, UV_DIRENT_CHAR],
  [S_IFBLK, UV_DIRENT_BLOCK],
]);

function typeOfMode(mode) {
  return kTypesOfModes.get(mode & S_IFMT) ?? UV_DIRENT_UNKNOWN;
}

// A name as C++ gives it: text, or bytes if the encoding is not UTF-8.
function decodeName(name, encoding) {
  if (typeof name === 'string') return name;
  const bytes = Buffer.from(name.buffer, name.byteOffset, name.byteLength);
  return encoding === 'buffer' ? bytes : bytes.toString(encoding);
}

function wantsBytes(encoding) {
  return encoding !== undefined && encoding !== null && encoding !== 'utf8' && encoding !== 'utf-8';
}

function toEntries(found, path, encoding) {
  const names = found[0];
  const types = found[1];
  return names.map((name, i) => new Dirent(decodeName(name, encoding), types[i], path));
}

module.exports = {
  Dirent,
  assertEncoding,
  boundToSignal,
  constants,
  copyObject,
  decodeName,
  getOptions,
  getValidMode,
  getValidatedFd,
  getValidatedPath,
  kMaxSafe,
  kMostAtOnce,
  stringToFlags,
  toEntries,
  toUnixTimestamp,
  typeOfMode,
  validateBufferArray,
  validateCallback,
  validateLinkType,
  validateOffsetLengthRead,
  validateOffsetLengthWrite,
  validateOwner,
  validatePath,
  validatePosition,
  validateRmOptions,
  validateRmdirOptions,
  validateStringAfterArrayBufferView,
  wantsBytes,
  warnOfTemplate,
};
