'use strict';
// node:fs: with callbacks, and at once. What takes several steps is in internal/fs/.

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const {
  beginWhole, later, laterAsPart, laterValue, laterVoid, native, now, setWhole,
} = require('internal/fs/native');
const { isArrayBufferView } = require('internal/util/types');
const { kEmptyObject } = require('internal/util');
const { deprecate } = require('internal/util/deprecate');
const { customPromisifyArgs } = require('internal/util/promisify');
const { Stats, kNumbers, toStatFs, toStats } = require('internal/fs/stats');
const {
  Dirent, boundToSignal, constants, decodeName, getOptions, getValidMode, getValidatedFd, getValidatedPath,
  stringToFlags, toEntries, toUnixTimestamp, validateBufferArray, validateCallback,
  validateOffsetLengthRead, validateOffsetLengthWrite, validatePosition,
  validateLinkType, validateRmOptions, validateRmdirOptions, validateStringAfterArrayBufferView,
  wantsBytes, warnOfTemplate,
} = require('internal/fs/utils');
const {
  kValidateObjectAllowNullable, parseFileMode, validateAbortSignal, validateBoolean, validateBuffer, validateEncoding,
  validateInteger, validateObject, validateString,
} = require('internal/validators');
const {
  appendFile, appendFileSync, readFile, readFileSync, writeFile, writeFileSync,
} = require('internal/fs/whole_files');
const { readvLater, readvNow, writevLater, writevNow } = require('internal/fs/vectored');
const { realpath, realpathSync } = require('internal/fs/realpath');
const { check: checkPermission, lstatDenial } = require('internal/process/permission');
const {
  chmod, chmodSync, chown, chownSync, fchmod, fchmodSync, fchown, fchownSync, futimes,
  futimesSync, lchown, lchownSync, lutimes, lutimesSync, utimes, utimesSync,
} = require('internal/fs/attributes');
const { Buffer } = require('buffer');

const { defineLazyProperties } = binding('util');
const nativeSync = binding('fs_sync');
const { ENOENT, ENOTDIR } = binding('constants').os.errno;
const kCustomPromisify = Symbol.for('nodejs.util.promisify.custom');

// ---- Open files ----

function open(path, flags, mode, callback) {
  if (arguments.length < 3) {
    callback = flags;
    flags = 'r';
    mode = 0o666;
  } else if (typeof mode === 'function') {
    callback = mode;
    mode = 0o666;
  } else {
    mode = parseFileMode(mode, 'mode', 0o666);
  }
  flags = stringToFlags(flags);
  path = getValidatedPath(path);
  validateCallback(callback);
  laterValue('open', callback, undefined, path, flags, mode);
}

function openSync(path, flags, mode) {
  flags = stringToFlags(flags);
  mode = parseFileMode(mode, 'mode', 0o666);
  return now('open', getValidatedPath(path), flags, mode);
}

function throwIfFails(error) {
  if (error !== null && error !== undefined) throw error;
}

function close(fd, callback = throwIfFails) {
  if (callback !== throwIfFails) validateCallback(callback);
  fd = getValidatedFd(fd);
  laterVoid('close', callback, fd);
}

function closeSync(fd) {
  now('close', getValidatedFd(fd));
}

// The arguments of a read, of which there are many forms, as [buffer, offset, length, position].
function checkRead(buffer, offset, length, position) {
  validateBuffer(buffer);
  if (offset === undefined || offset === null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length |= 0;
  if (position === undefined || position === null) position = -1;
  else validatePosition(position, 'position', length);
  if (length === 0) return [buffer, offset, 0, position];
  if (buffer.byteLength === 0) {
    throw new ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  }
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  return [buffer, offset, length, position];
}

function read(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  let offset = offsetOrOptions;
  let params = null;
  if (arguments.length <= 4) {
    if (arguments.length === 4) { // (fd, buffer, options, callback)
      validateObject(offsetOrOptions, 'options', kValidateObjectAllowNullable);
      callback = length;
      params = offsetOrOptions;
    } else if (arguments.length === 3) { // (fd, options or buffer, callback)
      if (!isArrayBufferView(buffer)) {
        params = buffer;
        ({ buffer = Buffer.alloc(16384) } = params ?? {});
      }
      callback = offsetOrOptions;
    } else { // (fd, callback)
      callback = buffer;
      buffer = Buffer.alloc(16384);
    }
    if (params !== undefined) validateObject(params, 'options', kValidateObjectAllowNullable);
    ({ offset = 0, length = buffer?.byteLength - offset, position = null } = params ?? {});
  }
  validateBuffer(buffer);
  validateCallback(callback);
  const checked = checkRead(buffer, offset, length, position);
  if (checked[2] === 0) {
    process.nextTick(() => callback(null, 0, buffer));
    return;
  }
  later('read', (error, bytesRead) => {
    callback(error, bytesRead || 0, buffer);
  }, fd, checked[0], checked[1], checked[2], checked[3]);
}

Object.defineProperty(read, customPromisifyArgs, {
  __proto__: null, value: ['bytesRead', 'buffer'], enumerable: false,
});

function readSync(fd, buffer, offsetOrOptions, length, position) {
  validateBuffer(buffer);
  let offset = offsetOrOptions;
  if (arguments.length <= 3 || typeof offsetOrOptions === 'object') {
    if (offsetOrOptions !== undefined) {
      validateObject(offsetOrOptions, 'options', kValidateObjectAllowNullable);
    }
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? {});
  }
  const checked = checkRead(buffer, offset, length, position);
  return checked[2] === 0 ? 0 : now('read', getValidatedFd(fd), checked[0], checked[1], checked[2], checked[3]);
}

function readv(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  callback = callback || position;
  validateCallback(callback);
  readvLater((error, bytesRead) => {
    callback(error, bytesRead || 0, buffers);
  }, fd, buffers, typeof position === 'number' ? position : -1);
}

Object.defineProperty(readv, customPromisifyArgs, {
  __proto__: null, value: ['bytesRead', 'buffers'], enumerable: false,
});

function readvSync(fd, buffers, position) {
  validateBufferArray(buffers);
  return readvNow(getValidatedFd(fd), buffers, typeof position === 'number' ? position : -1);
}

// The arguments of a write of bytes, as [buffer, offset, length, position].
function checkWrite(buffer, offsetOrOptions, length, position) {
  let offset = offsetOrOptions;
  if (typeof offset === 'object') {
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? {});
  }
  if (offset == null || typeof offset === 'function') offset = 0;
  else validateInteger(offset, 'offset', 0);
  if (typeof length !== 'number') length = buffer.byteLength - offset;
  if (typeof position !== 'number') position = -1;
  validateOffsetLengthWrite(offset, length, buffer.byteLength);
  return [buffer, offset, length, position];
}

function write(fd, buffer, offsetOrOptions, length, position, callback) {
  fd = getValidatedFd(fd);
  let checked;
  if (isArrayBufferView(buffer)) {
    callback = callback || position || length || offsetOrOptions;
    validateCallback(callback);
    checked = checkWrite(buffer, offsetOrOptions, length, position);
  } else { // (fd, text, position, encoding, callback)
    validateStringAfterArrayBufferView(buffer, 'buffer');
    let at = offsetOrOptions;
    if (typeof position !== 'function') {
      if (typeof at === 'function') {
        position = at;
        at = null;
      } else {
        position = length;
      }
      length = 'utf8';
    }
    validateEncoding(buffer, length);
    callback = position;
    validateCallback(callback);
    const bytes = Buffer.from(buffer, Buffer.isEncoding(length) ? length : 'utf8');
    checked = [bytes, 0, bytes.length, typeof at === 'number' ? at : -1];
  }
  later('writeBuffer', (error, written) => {
    callback(error, written || 0, buffer);
  }, fd, checked[0], checked[1], checked[2], checked[3]);
}

Object.defineProperty(write, customPromisifyArgs, {
  __proto__: null, value: ['bytesWritten', 'buffer'], enumerable: false,
});

function writeSync(fd, buffer, offsetOrOptions, length, position) {
  if (isArrayBufferView(buffer)) {
    const checked = checkWrite(buffer, offsetOrOptions, length, position);
    return now('writeBuffer', getValidatedFd(fd), checked[0], checked[1], checked[2], checked[3]);
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  validateEncoding(buffer, length);
  const bytes = Buffer.from(buffer, Buffer.isEncoding(length) ? length : 'utf8');
  const at = typeof offsetOrOptions === 'number' ? offsetOrOptions : -1;
  return now('writeBuffer', getValidatedFd(fd), bytes, 0, bytes.length, at);
}

function writev(fd, buffers, position, callback) {
  fd = getValidatedFd(fd);
  validateBufferArray(buffers);
  callback = callback || position;
  validateCallback(callback);
  if (buffers.length === 0) {
    process.nextTick(callback, null, 0, buffers);
    return;
  }
  writevLater((error, written) => {
    callback(error, written || 0, buffers);
  }, fd, buffers, typeof position === 'number' ? position : -1);
}

Object.defineProperty(writev, customPromisifyArgs, {
  __proto__: null, value: ['bytesWritten', 'buffers'], enumerable: false,
});

function writevSync(fd, buffers, position) {
  validateBufferArray(buffers);
  if (buffers.length === 0) return 0;
  return writevNow(getValidatedFd(fd), buffers, typeof position === 'number' ? position : -1);
}

function ftruncate(fd, length = 0, callback) {
  if (typeof length === 'function') {
    callback = length;
    length = 0;
  }
  validateInteger(length, 'len');
  validateCallback(callback);
  fd = getValidatedFd(fd);
  laterVoid('ftruncate', callback, fd, Math.max(0, length));
}

function ftruncateSync(fd, length = 0) {
  validateInteger(length, 'len');
  now('ftruncate', getValidatedFd(fd), Math.max(0, length));
}

function truncate(path, length, callback) {
  if (typeof length === 'function') {
    callback = length;
    length = 0;
  } else if (length === undefined) {
    length = 0;
  }
  validateInteger(length, 'len');
  length = Math.max(0, length);
  validateCallback(callback);
  path = getValidatedPath(path);
  const whole = beginWhole('truncate', path, false, callback);
  laterAsPart(whole, 'open', (error, fd) => {
    if (error !== null) {
      callback(error);
      return;
    }
    setWhole(fd, whole);
    laterVoid('ftruncate', (truncateError) => {
      close(fd, (closeError) => callback(truncateError ?? closeError));
    }, fd, length);
  }, path, stringToFlags('r+'), 0o666);
}

function truncateSync(path, length) {
  if (length === undefined) length = 0;
  const fd = openSync(path, 'r+');
  try {
    ftruncateSync(fd, length);
  } finally {
    closeSync(fd);
  }
}

function fsync(fd, callback) {
  validateCallback(callback);
  fd = getValidatedFd(fd);
  laterVoid('fsync', callback, fd);
}

function fsyncSync(fd) {
  now('fsync', getValidatedFd(fd));
}

function fdatasync(fd, callback) {
  validateCallback(callback);
  fd = getValidatedFd(fd);
  laterVoid('fdatasync', callback, fd);
}

function fdatasyncSync(fd) {
  now('fdatasync', getValidatedFd(fd));
}

// ---- What a path names ----

function statLater(method, target, options, callback) {
  laterValue(method, callback, toStats, target, options?.bigint === true);
}

const kStatDefaults = { bigint: false, signal: undefined };

// A wrong signal is the first error.
function statOptions(options) {
  if (options === null || typeof options !== 'object') return kStatDefaults;
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

function stat(path, options = kStatDefaults, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kStatDefaults;
  }
  options = statOptions(options);
  validateCallback(callback);
  path = getValidatedPath(path);
  callback = boundToSignal(options.signal, callback);
  if (callback === null) return;
  if (options.throwIfNoEntry !== false) {
    statLater('stat', path, options, callback);
    return;
  }
  statLater('stat', path, options, (error, stats) => {
    if (isMissing(error)) callback(null, undefined);
    else callback(error, stats);
  });
}

function lstat(path, options = kStatDefaults, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kStatDefaults;
  }
  options = statOptions(options);
  validateCallback(callback);
  path = getValidatedPath(path);
  callback = boundToSignal(options.signal, callback);
  if (callback === null) return;
  statLater('lstat', path, options, callback);
}

function fstat(fd, options = kStatDefaults, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kStatDefaults;
  }
  validateCallback(callback);
  callback = boundToSignal(options?.signal, callback);
  if (callback === null) return;
  statLater('fstat', getValidatedFd(fd), options, callback);
}

const statNumbers = new Float64Array(kNumbers);

// isNoEntry(number): whether the error with that number means that there is none.
function statNow(method, path, options, isNoEntry) {
  const bigint = options.bigint === true;
  const mayMiss = options.throwIfNoEntry === false;
  if (!bigint) {
    const number = nativeSync.stat(path, method === 'stat', statNumbers);
    if (number === 0) return toStats(statNumbers);
    if (mayMiss && isNoEntry(number)) return undefined;
  }
  try {
    return toStats(now(method, path, bigint)); // of an error that is known already: throws it
  } catch (error) {
    if (mayMiss && isNoEntry(-error.errno)) return undefined;
    throw error;
  }
}

function statSync(path, options = kStatDefaults) {
  return statNow('stat', getValidatedPath(path), options, (number) => number === ENOENT || number === ENOTDIR);
}

function lstatSync(path, options = kStatDefaults) {
  path = getValidatedPath(path);
  const denied = lstatDenial(path);
  if (denied !== undefined) throw denied;
  return statNow('lstat', path, options, (number) => number === ENOENT);
}

function fstatSync(fd, options = kStatDefaults) {
  const bigint = options.bigint === true;
  return toStats(now('fstat', getValidatedFd(fd), bigint));
}

function statfs(path, options = kStatDefaults, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = kStatDefaults;
  }
  validateCallback(callback);
  path = getValidatedPath(path);
  laterValue('statfs', callback, toStatFs, path, options.bigint === true);
}

function statfsSync(path, options = kStatDefaults) {
  return toStatFs(now('statfs', getValidatedPath(path), options.bigint === true));
}

function access(path, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = constants.F_OK;
  }
  path = getValidatedPath(path);
  validateCallback(callback);
  laterVoid('access', callback, path, getValidMode(mode));
}

function accessSync(path, mode) {
  now('access', getValidatedPath(path), getValidMode(mode));
}

function exists(path, callback) {
  validateCallback(callback);
  try {
    path = getValidatedPath(path);
  } catch {
    callback(false);
    return;
  }
  later('exists', (error) => callback(error === null), path, constants.F_OK);
}

Object.defineProperty(exists, kCustomPromisify, {
  __proto__: null,
  value: function exists(path) { // eslint-disable-line func-name-matching
    return new Promise((resolve) => module.exports.exists(path, resolve));
  },
});

let warnedOfExists = false;

function warnOfExists() {
  if (warnedOfExists) return;
  warnedOfExists = true;
  process.emitWarning('Passing invalid argument types to fs.existsSync is deprecated', 'DeprecationWarning', 'DEP0187');
}

function existsSync(path) {
  try {
    path = getValidatedPath(path);
  } catch (error) {
    if (error.code === 'ERR_INVALID_ARG_TYPE') warnOfExists();
    return false;
  }
  return native.exists(undefined, undefined, path);
}

realpath.native = function(path, options, callback) {
  callback = callback || options;
  validateCallback(callback);
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  laterValue('realpath', callback, (name) => decodeName(name, encoding), path, wantsBytes(encoding));
};

realpathSync.native = function(path, options) {
  const { encoding } = getOptions(options);
  return decodeName(now('realpath', getValidatedPath(path), wantsBytes(encoding)), encoding);
};

// For the option throwIfNoEntry of stat().
function isMissing(error) {
  return error?.code === 'ENOENT' || error?.code === 'ENOTDIR';
}

function readlink(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateCallback(callback);
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  laterValue('readlink', callback, (name) => decodeName(name, encoding), path, wantsBytes(encoding));
}

function readlinkSync(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  return decodeName(now('readlink', path, wantsBytes(encoding)), encoding);
}

// ---- Changing what a path names ----

function rename(oldPath, newPath, callback) {
  validateCallback(callback);
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  laterVoid('rename', callback, oldPath, newPath);
}

function renameSync(oldPath, newPath) {
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  now('rename', oldPath, newPath);
}

function link(existingPath, newPath, callback) {
  validateCallback(callback);
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  laterVoid('link', callback, existingPath, newPath);
}

function linkSync(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  now('link', existingPath, newPath);
}

function symlink(target, path, type, callback) {
  if (callback === undefined) {
    callback = type;
    validateCallback(callback);
    type = undefined;
  } else {
    validateLinkType(type);
  }
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  validateCallback(callback);
  laterVoid('symlink', callback, target, path);
}

function symlinkSync(target, path, type) {
  validateLinkType(type);
  now('symlink', getValidatedPath(target, 'target'), getValidatedPath(path));
}

function unlink(path, callback) {
  validateCallback(callback);
  laterVoid('unlink', callback, getValidatedPath(path));
}

function unlinkSync(path) {
  now('unlink', getValidatedPath(path));
}

function copyFile(source, target, mode, callback) {
  if (typeof mode === 'function') {
    callback = mode;
    mode = 0;
  }
  source = getValidatedPath(source, 'src');
  target = getValidatedPath(target, 'dest');
  validateCallback(callback);
  laterVoid('copyFile', callback, source, target, getValidMode(mode));
}

function copyFileSync(source, target, mode) {
  now('copyFile', getValidatedPath(source, 'src'), getValidatedPath(target, 'dest'), getValidMode(mode));
}

// ---- Folders ----

// [mode, recursive]
function mkdirOptions(options) {
  if (typeof options === 'number' || typeof options === 'string') {
    return [parseFileMode(options, 'mode'), false];
  }
  if (!options) return [0o777, false];
  const { recursive = false, mode = 0o777 } = options;
  validateBoolean(recursive, 'options.recursive');
  return [parseFileMode(mode, 'options.mode'), recursive];
}

function mkdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const [mode, recursive] = mkdirOptions(options);
  validateCallback(callback);
  path = getValidatedPath(path);
  later('mkdir', (error, first) => {
    if (first === undefined) callback(error);
    else callback(null, first);
  }, path, mode, recursive);
}

function mkdirSync(path, options) {
  const [mode, recursive] = mkdirOptions(options);
  path = getValidatedPath(path);
  const first = now('mkdir', path, mode, recursive);
  return recursive ? first : undefined;
}

// It once removed what is in the folder as well: rm() does.
function rejectRecursive(options) {
  if (options?.recursive === undefined) return;
  throw new ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
}

function rmdir(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  rejectRecursive(options);
  validateCallback(callback);
  path = getValidatedPath(path);
  validateRmdirOptions(options);
  laterVoid('rmdir', callback, path);
}

function rmdirSync(path, options) {
  path = getValidatedPath(path);
  rejectRecursive(options);
  validateRmdirOptions(options);
  now('rmdir', path);
}

function rm(path, options, callback) {
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  path = getValidatedPath(path);
  options = validateRmOptions(options);
  validateCallback(callback);
  require('internal/fs/rm').rm(path, options, callback);
}

function rmSync(path, options) {
  options = validateRmOptions(options);
  require('internal/fs/rm').rmSync(getValidatedPath(path), options);
}

function mkdtemp(prefix, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateCallback(callback);
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnOfTemplate(prefix);
  laterValue('mkdtemp', callback, (name) => decodeName(name, encoding), prefix, wantsBytes(encoding));
}

function mkdtempSync(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnOfTemplate(prefix);
  return decodeName(now('mkdtemp', prefix, wantsBytes(encoding)), encoding);
}

function mkdtempDisposableSync(prefix, options) {
  const path = mkdtempSync(prefix, options);
  // The program may be somewhere else when it is removed.
  const fullPath = require('path').resolve(`${path}`);
  const remove = () => rmSync(fullPath, { force: true, recursive: true });
  return {
    path,
    remove,
    [Symbol.dispose]() {
      remove();
    },
  };
}

function checkRecursive({ recursive }) {
  if (recursive != null) validateBoolean(recursive, 'options.recursive');
}

function readdir(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  validateCallback(callback);
  options = getOptions(options);
  path = getValidatedPath(path);
  checkRecursive(options);
  if (options.recursive) {
    require('internal/fs/readdir_recursive').readdir(path, options, callback);
    return;
  }
  const { encoding, withFileTypes } = options;
  laterValue('readdir', callback, (found) => readFound(found, path, encoding, withFileTypes),
    path, Boolean(withFileTypes), wantsBytes(encoding));
}

function readdirSync(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path);
  checkRecursive(options);
  if (options.recursive) return require('internal/fs/readdir_recursive').readdirSync(path, options);
  const { encoding, withFileTypes } = options;
  const found = now('readdir', path, Boolean(withFileTypes), wantsBytes(encoding));
  return readFound(found, path, encoding, withFileTypes);
}

function readFound(found, path, encoding, withFileTypes) {
  if (withFileTypes) return toEntries(found, path, encoding);
  return wantsBytes(encoding) ? found.map((name) => decodeName(name, encoding)) : found;
}

function cp(source, target, options, callback) {
  require('internal/fs/cp').cp(source, target, options, callback);
}

function cpSync(source, target, options) {
  require('internal/fs/cp').cpSync(source, target, options);
}

function glob(pattern, options, callback) {
  require('internal/fs/glob').glob(pattern, options, callback);
}

function globSync(pattern, options) {
  return require('internal/fs/glob').globSync(pattern, options);
}

// ---- Blobs ----

function openAsBlobSync(path, options = kEmptyObject) {
  validateObject(options, 'options');
  const type = options.type || '';
  validateString(type, 'options.type');
  path = getValidatedPath(path);
  checkPermission('fs.read', `${path}`);
  return require('internal/blob').blobOfFile(path, type);
}

function openAsBlob(path, options = kEmptyObject) {
  return Promise.resolve(openAsBlobSync(path, options));
}

// ---- Streams ----

function createReadStream(path, options) {
  return new (streams().ReadStream)(path, options);
}

function createWriteStream(path, options) {
  return new (streams().WriteStream)(path, options);
}

function watch(filename, options, listener) {
  return require('internal/fs/watchers').watch(filename, options, listener);
}

function watchFile(filename, options, listener) {
  return require('internal/fs/stat_watcher').watchFile(filename, options, listener);
}

function unwatchFile(filename, listener) {
  require('internal/fs/stat_watcher').unwatchFile(filename, listener);
}

function streams() {
  return require('internal/fs/streams');
}

module.exports = {
  appendFile,
  appendFileSync,
  access,
  accessSync,
  chown,
  chownSync,
  chmod,
  chmodSync,
  close,
  closeSync,
  copyFile,
  copyFileSync,
  cp,
  cpSync,
  createReadStream,
  createWriteStream,
  exists,
  existsSync,
  fchown,
  fchownSync,
  fchmod,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstat,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncate,
  ftruncateSync,
  futimes,
  futimesSync,
  glob,
  globSync,
  lchown,
  lchownSync,
  lchmod: undefined,
  lchmodSync: undefined,
  link,
  linkSync,
  lstat,
  lstatSync,
  lutimes,
  lutimesSync,
  mkdir,
  mkdirSync,
  mkdtemp,
  mkdtempSync,
  mkdtempDisposableSync,
  open,
  openSync,
  openAsBlob,
  openAsBlobSync,
  readdir,
  readdirSync,
  read,
  readSync,
  readv,
  readvSync,
  readFile,
  readFileSync,
  readlink,
  readlinkSync,
  realpath,
  realpathSync,
  rename,
  renameSync,
  rm,
  rmSync,
  rmdir,
  rmdirSync,
  stat,
  statfs,
  statSync,
  statfsSync,
  symlink,
  symlinkSync,
  truncate,
  truncateSync,
  unwatchFile,
  unlink,
  unlinkSync,
  utimes,
  utimesSync,
  watch,
  watchFile,
  writeFile,
  writeFileSync,
  write,
  writeSync,
  writev,
  writevSync,
  Dirent,
  Stats: deprecate(Stats, 'fs.Stats constructor is deprecated.', 'DEP0180'),
  // Each name can be replaced on its own.
  get ReadStream() { return streams().ReadStream; },
  set ReadStream(value) { streams().ReadStream = value; },
  get WriteStream() { return streams().WriteStream; },
  set WriteStream(value) { streams().WriteStream = value; },
  get FileReadStream() { return streams().FileReadStream; },
  set FileReadStream(value) { streams().FileReadStream = value; },
  get FileWriteStream() { return streams().FileWriteStream; },
  set FileWriteStream(value) { streams().FileWriteStream = value; },
  get Utf8Stream() { return require('internal/streams/fast-utf8-stream'); },
  _toUnixTimestamp: toUnixTimestamp,
};
defineLazyProperties(module.exports, ['Dir', 'opendir', 'opendirSync'], 'internal/fs/dir', true);

Object.defineProperty(module.exports, 'constants', {
  __proto__: null, configurable: false, enumerable: true, value: constants,
});
Object.defineProperty(module.exports, 'promises', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return require('internal/fs/promises').exports; },
});
