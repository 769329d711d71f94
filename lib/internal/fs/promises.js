'use strict';
// node:fs/promises, and the FileHandle.

const {
  AbortError, aggregateTwoErrors,
  codes: {
    ERR_INTERNAL_ASSERTION, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE, ERR_METHOD_NOT_IMPLEMENTED,
  },
} = require('internal/errors');
const { beginWhole, now, promised, promisedAsPart, setWhole } = require('internal/fs/native');
const { toStatFs, toStats } = require('internal/fs/stats');
const {
  constants, copyObject, decodeName, getOptions, getValidMode, getValidatedPath,
  stringToFlags, toEntries, toUnixTimestamp, validateBufferArray, validateOffsetLengthRead,
  validateLinkType, validateOffsetLengthWrite, validateOwner, validatePosition, validateRmOptions,
  validateRmdirOptions, validateStringAfterArrayBufferView, wantsBytes, warnOfTemplate,
} = require('internal/fs/utils');
const { validateGivenBuffer } = require('internal/fs/given_buffer');
const { readvPromised, writevPromised } = require('internal/fs/vectored');
const { contentFor, isOneWrite, readInOneStep, withPath } = require('internal/fs/whole_files');
const { isArrayBufferView } = require('internal/util/types');
const {
  kValidateObjectAllowNullable, parseFileMode, validateAbortSignal, validateBoolean, validateBuffer,
  validateEncoding, validateInteger, validateObject,
} = require('internal/validators');
const { async_id_symbol, initResource } = require('internal/async_hooks');
const {
  kDeserialize, kTransfer, kTransferList, markTransferable,
} = require('internal/messaging/transferable');
const EventEmitter = require('events');
const { Buffer } = require('buffer');

const kHandle = Symbol('kHandle');
const kFd = Symbol('kFd');
const kIsTransferred = Symbol('kIsTransferred');
const kRefs = Symbol('kRefs');
const kClosePromise = Symbol('kClosePromise');
const kCloseResolve = Symbol('kCloseResolve');
const kCloseReject = Symbol('kCloseReject');
const kRef = Symbol('kRef');
const kUnref = Symbol('kUnref');
const kLocked = Symbol('kLocked'); // a web stream reads from it

const kTooLarge = Symbol('kTooLarge');
const kWriteAtOnce = 512 * 1024; // so that a signal is heard between two parts

// ---- FileHandle ----

// What async_hooks sees of it.
class HandleResource {
  constructor() {
    initResource(this, 'FILEHANDLE');
  }
}

// A handle that was not closed is closed when it is collected, which is an error; this knows those that are open.
let forgotten;

function watchForgotten(handle, fd, path) {
  forgotten ??= new FinalizationRegistry((left) => {
    promised('close', left.fd).catch(() => {});
    const error = new Error('A FileHandle object was closed during garbage collection. This used to be allowed ' +
      'with a deprecation warning but is now considered an error. Please close FileHandle objects explicitly. ' +
      `File descriptor: ${left.fd}${left.path === undefined ? '' : ` (${left.path})`}`);
    error.code = 'ERR_INVALID_STATE';
    error.stack = `Error: ${error.message}`; // no frame of the program is on the stack
    require('timers').setImmediate(() => { throw error; });
  });
  forgotten.register(handle, { fd, path }, handle);
}

class FileHandle extends EventEmitter {
  constructor(fd = -1, path = undefined) {
    super();
    markTransferable(this);
    this[kHandle] = new HandleResource();
    this[kFd] = fd;
    this[kRefs] = 1;
    this[kClosePromise] = null;
    if (fd >= 0) watchForgotten(this, fd, path);
    this.close = () => this.#close();
    Object.defineProperty(this.close, 'name', { __proto__: null, value: 'close' });
  }

  getAsyncId() {
    return this[kHandle][async_id_symbol];
  }

  get fd() {
    return this[kFd];
  }

  appendFile(data, options) {
    return onHandle(writeFile, this, data, options);
  }

  chmod(mode) {
    return onHandle(fchmod, this, mode);
  }

  chown(uid, gid) {
    return onHandle(fchown, this, uid, gid);
  }

  datasync() {
    return onHandle(fdatasync, this);
  }

  sync() {
    return onHandle(fsync, this);
  }

  read(buffer, offset, length, position) {
    return onHandle(read, this, buffer, offset, length, position);
  }

  readv(buffers, position) {
    return onHandle(readv, this, buffers, position);
  }

  readFile(options) {
    return onHandle(readFile, this, options);
  }

  readLines(options = undefined) {
    return require('readline').createInterface({
      input: this.createReadStream(options), crlfDelay: Infinity,
    });
  }

  stat(options) {
    return onHandle(fstat, this, options);
  }

  truncate(length = 0) {
    return onHandle(ftruncate, this, length);
  }

  utimes(atime, mtime) {
    return onHandle(futimes, this, atime, mtime);
  }

  write(buffer, offset, length, position) {
    return onHandle(write, this, buffer, offset, length, position);
  }

  writev(buffers, position) {
    return onHandle(writev, this, buffers, position);
  }

  writeFile(data, options) {
    return onHandle(writeFile, this, data, options);
  }

  readableWebStream(options = {}) {
    if (this[kFd] === -1) throw new ERR_INVALID_STATE('The FileHandle is closed');
    if (this[kClosePromise]) throw new ERR_INVALID_STATE('The FileHandle is closing');
    if (this[kLocked]) throw new ERR_INVALID_STATE('The FileHandle is locked');
    this[kLocked] = true;
    validateObject(options, 'options');
    const { type = 'bytes', autoClose = false } = options;
    validateBoolean(autoClose, 'options.autoClose');
    if (type !== 'bytes') {
      process.emitWarning('A non-"bytes" options.type has no effect. A byte-oriented steam is always created.',
        'ExperimentalWarning');
    }
    const stream = require('internal/fs/web_stream').streamOf(this, async () => {
      this[kUnref]();
      if (autoClose) await this.close();
    });
    this[kRef]();
    return stream;
  }

  createReadStream(options = undefined) {
    const { ReadStream } = require('internal/fs/streams');
    return new ReadStream(undefined, { ...options, fd: this });
  }

  createWriteStream(options = undefined) {
    const { WriteStream } = require('internal/fs/streams');
    return new WriteStream(undefined, { ...options, fd: this });
  }

  async [Symbol.asyncDispose]() {
    await this.close();
  }

  // ---- Handed over to another thread by postMessage() ----

  [kTransferList]() {
    return [];
  }

  [kTransfer]() {
    if (this[kClosePromise] || this[kRefs] > 1) {
      const DOMException = require('internal/errors/dom_exception');
      throw new DOMException('Cannot transfer FileHandle while in use', 'DataCloneError');
    }
    const descriptor = this[kFd];
    forgotten.unregister(this);
    this[kFd] = -1;
    this[kIsTransferred] = true;
    return { data: descriptor, descriptor, isFile: true, deserializeInfo: 'internal/fs/promises:FileHandle' };
  }

  [kDeserialize](fd) {
    this[kFd] = fd;
    watchForgotten(this, fd);
  }

  // While an operation is in progress, or a stream exists, closing waits.
  [kRef]() {
    this[kRefs]++;
  }

  [kUnref]() {
    if (--this[kRefs] > 0) return;
    const fd = this[kFd];
    this[kFd] = -1;
    closeDescriptor(this, fd).then(this[kCloseResolve], this[kCloseReject]);
  }

  #close() {
    if (this[kFd] === -1) return Promise.resolve();
    if (this[kClosePromise]) return this[kClosePromise];
    if (--this[kRefs] === 0) {
      const fd = this[kFd];
      this[kFd] = -1;
      this[kClosePromise] = closeDescriptor(this, fd).finally(() => {
        this[kClosePromise] = undefined;
      });
    } else {
      this[kClosePromise] = new Promise((resolve, reject) => {
        this[kCloseResolve] = resolve;
        this[kCloseReject] = reject;
      }).finally(() => {
        this[kClosePromise] = undefined;
        this[kCloseReject] = undefined;
        this[kCloseResolve] = undefined;
      });
    }
    this.emit('close');
    return this[kClosePromise];
  }
}

function closeDescriptor(handle, fd) {
  forgotten.unregister(handle);
  return promised('close', fd);
}

// At once.
function closeNow(handle) {
  const fd = handle[kFd];
  if (fd === -1) return;
  if (handle[kClosePromise]) throw new ERR_INVALID_STATE('The FileHandle is closing');
  forgotten.unregister(handle);
  handle[kFd] = -1;
  now('close', fd);
  handle.emit('close');
}

// Of --experimental-stream-iter.
function installStreamIter() {
  require('internal/fs/stream_iter')(FileHandle, { closeNow, kClosePromise, kFd, kLocked, kRef, kUnref });
}

async function onHandle(operation, handle, ...args) {
  if (handle?.[kRefs] === undefined) {
    throw new ERR_INTERNAL_ASSERTION('handle must be an instance of FileHandle');
  }
  if (handle.fd === -1) {
    const error = new Error(handle[kIsTransferred] ? 'The FileHandle has been transferred' : 'file closed');
    error.code = 'EBADF';
    error.syscall = operation.name;
    throw error;
  }
  try {
    handle[kRef]();
    return await operation(handle, ...args);
  } finally {
    handle[kUnref]();
  }
}

// Closes the handle whatever comes of the operation.
async function andClose(handle, operation) {
  let result;
  try {
    result = await operation;
  } catch (error) {
    try {
      await handle.close();
    } catch (closeError) {
      throw aggregateTwoErrors(closeError, error);
    }
    throw error;
  }
  await handle.close();
  return result;
}

async function open(path, flags, mode) {
  path = getValidatedPath(path);
  const flagsNumber = stringToFlags(flags);
  mode = parseFileMode(mode, 'mode', 0o666);
  return new FileHandle(await promised('open', path, flagsNumber, mode), path);
}

// For one operation, and closed when that is done.
async function openFor(method, path, flags, mode) {
  const target = getValidatedPath(path);
  const whole = beginWhole(method, target);
  const flagsNumber = stringToFlags(flags);
  mode = parseFileMode(mode, 'mode', 0o666);
  const handle = new FileHandle(await promisedAsPart(whole, 'open', target, flagsNumber, mode), target);
  setWhole(handle.fd, whole);
  return handle;
}

// ---- Reading and writing ----

async function read(handle, bufferOrParams, offset, length, position) {
  let buffer = bufferOrParams;
  if (!isArrayBufferView(buffer)) { // read(params)
    if (bufferOrParams !== undefined) {
      validateObject(bufferOrParams, 'options', kValidateObjectAllowNullable);
    }
    ({
      buffer = Buffer.alloc(16384),
      offset = 0,
      length = buffer.byteLength - offset,
      position = null,
    } = bufferOrParams ?? {});
    validateBuffer(buffer);
  }
  if (offset !== null && typeof offset === 'object') { // read(buffer, options)
    ({ offset = 0, length = buffer.byteLength - offset, position = null } = offset);
  }
  if (offset == null) offset = 0;
  else validateInteger(offset, 'offset', 0);
  length ??= buffer.byteLength - offset;
  if (position == null) position = -1;
  else validatePosition(position, 'position', length);
  if (length === 0) return { __proto__: null, bytesRead: length, buffer };
  if (buffer.byteLength === 0) {
    throw new ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  }
  validateOffsetLengthRead(offset, length, buffer.byteLength);
  const bytesRead = await promised('read', handle.fd, buffer, offset, length, position);
  return { __proto__: null, bytesRead, buffer };
}

async function write(handle, buffer, offsetOrOptions, length, position) {
  if (buffer?.byteLength === 0) return { __proto__: null, bytesWritten: 0, buffer };
  if (isArrayBufferView(buffer)) {
    let offset = offsetOrOptions;
    if (typeof offset === 'object') {
      ({ offset = 0, length = buffer.byteLength - offset, position = null } = offsetOrOptions ?? {});
    }
    if (offset == null) offset = 0;
    else validateInteger(offset, 'offset', 0);
    if (typeof length !== 'number') length = buffer.byteLength - offset;
    if (typeof position !== 'number') position = -1;
    validateOffsetLengthWrite(offset, length, buffer.byteLength);
    const bytesWritten = await promised('writeBuffer', handle.fd, buffer, offset, length, position);
    return { __proto__: null, bytesWritten, buffer };
  }
  validateStringAfterArrayBufferView(buffer, 'buffer');
  validateEncoding(buffer, length);
  const bytes = Buffer.from(buffer, Buffer.isEncoding(length) ? length : 'utf8');
  const at = typeof offsetOrOptions === 'number' ? offsetOrOptions : -1;
  const bytesWritten = await promised('writeBuffer', handle.fd, bytes, 0, bytes.length, at);
  return { __proto__: null, bytesWritten, buffer };
}

async function readv(handle, buffers, position) {
  validateBufferArray(buffers);
  if (typeof position !== 'number') position = -1;
  const bytesRead = await readvPromised(handle.fd, buffers, position);
  return { __proto__: null, bytesRead, buffers };
}

async function writev(handle, buffers, position) {
  validateBufferArray(buffers);
  if (typeof position !== 'number') position = -1;
  if (buffers.length === 0) return { __proto__: null, bytesWritten: 0, buffers };
  const bytesWritten = await writevPromised(handle.fd, buffers, position);
  return { __proto__: null, bytesWritten, buffers };
}

async function fstat(handle, options = { bigint: false }) {
  validateObject(options, 'options');
  return toStats(await promised('fstat', handle.fd, options.bigint === true));
}

async function fsync(handle) {
  await promised('fsync', handle.fd);
}

async function fdatasync(handle) {
  await promised('fdatasync', handle.fd);
}

async function fchmod(handle, mode) {
  await promised('fchmod', handle.fd, parseFileMode(mode, 'mode'));
}

async function fchown(handle, uid, gid) {
  validateOwner(uid, gid);
  await promised('fchown', handle.fd, uid, gid);
}

async function futimes(handle, atime, mtime) {
  atime = toUnixTimestamp(atime, 'atime');
  mtime = toUnixTimestamp(mtime, 'mtime');
  await promised('futimes', handle.fd, atime, mtime);
}

function checkAborted(signal) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

async function readHandle(handle, options) {
  const { encoding, signal } = options;
  checkAborted(signal);
  const content = contentFor(options, await promised('fstat', handle.fd, false));
  while (!content.done) {
    checkAborted(signal);
    content.took(await promised('read', handle.fd, ...content.next(), -1));
  }
  return content.take(encoding);
}

async function readFile(path, options) {
  options = getOptions(options, { flag: 'r' });
  validateGivenBuffer(options);
  const flag = options.flag || 'r';
  if (path instanceof FileHandle) return readHandle(path, options);
  checkAborted(options.signal);
  if (options.signal === undefined && options.buffer === undefined && stringToFlags(flag) === constants.O_RDONLY) {
    const target = getValidatedPath(path);
    const whole = beginWhole('readFile', target);
    const { promise, resolve, reject } = Promise.withResolvers();
    readInOneStep(whole, target, {
      encoding: options.encoding,
      callback: (error, content) => (error === null ? resolve(content) : reject(error)),
    }, () => resolve(kTooLarge));
    const content = await promise;
    if (content !== kTooLarge) return content;
  }
  const handle = await openFor('readFile', path, flag, 0o666);
  return andClose(handle, readHandle(handle, options).catch((error) => {
    throw withPath(error, path);
  }));
}

// `place`: the position in the file, { at }, or -1 at the position of the descriptor. See writeAll() in internal/fs/whole_files.
async function writeBytes(handle, bytes, signal, place) {
  bytes = new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  while (bytes.byteLength > 0) {
    checkAborted(signal);
    const most = Math.min(kWriteAtOnce, bytes.byteLength);
    let count;
    try {
      count = await promised('writeBuffer', handle.fd, bytes, 0, most, place.at);
    } catch (error) {
      if (place.at === -1 || error.code !== 'ESPIPE') throw error;
      place.at = -1;
      continue;
    }
    if (place.at !== -1) place.at += count;
    bytes = bytes.subarray(count);
  }
}

function isIterable(value) {
  return value !== null && typeof value === 'object' && !isArrayBufferView(value) &&
    (typeof value[Symbol.asyncIterator] === 'function' || typeof value[Symbol.iterator] === 'function');
}

async function writeHandle(handle, data, { encoding, signal }, isUserHandle) {
  const place = { at: isUserHandle ? -1 : 0 };
  checkAborted(signal);
  if (!isIterable(data)) {
    await writeBytes(handle, data, signal, place);
    return;
  }
  for await (const chunk of data) {
    checkAborted(signal);
    await writeBytes(handle, isArrayBufferView(chunk) ? chunk : Buffer.from(chunk, encoding || 'utf8'), signal, place);
  }
}

async function writeFile(path, data, options) {
  options = getOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false });
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  const flag = options.flag || 'w';
  if (!isArrayBufferView(data) && !isIterable(data)) {
    validateStringAfterArrayBufferView(data, 'data');
    data = Buffer.from(data, options.encoding || 'utf8');
  }
  validateAbortSignal(options.signal);
  if (path instanceof FileHandle) {
    await writeHandle(path, data, options, true);
    return;
  }
  checkAborted(options.signal);
  if (isOneWrite(stringToFlags(flag), data, options.signal)) {
    const target = getValidatedPath(path);
    const whole = beginWhole('writeFile', target);
    const mode = parseFileMode(options.mode, 'mode', 0o666);
    await promisedAsPart(whole, 'writeFile', target, data, mode, flush);
    return;
  }
  const handle = await openFor(flag === 'a' ? 'appendFile' : 'writeFile', path, flag, options.mode);
  await andClose(handle, (async () => {
    await writeHandle(handle, data, options, false);
    if (flush) await handle.sync();
  })());
}

async function appendFile(path, data, options) {
  options = getOptions(options, { encoding: 'utf8', mode: 0o666, flag: 'a', flush: false });
  options = copyObject(options);
  options.flag = options.flag || 'a';
  return writeFile(path, data, options);
}

async function ftruncate(handle, length = 0) {
  validateInteger(length, 'len');
  await promised('ftruncate', handle.fd, Math.max(0, length));
}

async function truncate(path, length = 0) {
  const handle = await openFor('truncate', path, 'r+');
  return andClose(handle, ftruncate(handle, length));
}

// ---- By path ----

async function access(path, mode = constants.F_OK) {
  await promised('access', getValidatedPath(path), getValidMode(mode));
}

async function copyFile(source, target, mode) {
  source = getValidatedPath(source, 'src');
  target = getValidatedPath(target, 'dest');
  await promised('copyFile', source, target, getValidMode(mode));
}

async function rename(oldPath, newPath) {
  oldPath = getValidatedPath(oldPath, 'oldPath');
  newPath = getValidatedPath(newPath, 'newPath');
  await promised('rename', oldPath, newPath);
}

async function rm(path, options) {
  path = getValidatedPath(path);
  options = validateRmOptions(options);
  await new Promise((resolve, reject) => {
    require('internal/fs/rm').rm(path, options, (error) => (error ? reject(error) : resolve()));
  });
}

async function rmdir(path, options) {
  path = getValidatedPath(path);
  if (options?.recursive !== undefined) {
    throw new ERR_INVALID_ARG_VALUE('options.recursive', options.recursive, 'is no longer supported');
  }
  validateRmdirOptions(options);
  await promised('rmdir', path);
}

async function mkdir(path, options) {
  if (typeof options === 'number' || typeof options === 'string') options = { mode: options };
  const { recursive = false, mode = 0o777 } = options || {};
  path = getValidatedPath(path);
  validateBoolean(recursive, 'options.recursive');
  const first = await promised('mkdir', path, parseFileMode(mode, 'mode', 0o777), recursive);
  return recursive ? first : undefined;
}

async function readdir(path, options) {
  options = getOptions(options);
  path = getValidatedPath(path);
  if (options.recursive != null) validateBoolean(options.recursive, 'options.recursive');
  const { encoding, withFileTypes } = options;
  if (options.recursive) {
    return new Promise((resolve, reject) => {
      require('internal/fs/readdir_recursive').readdir(path, options, (error, found) => {
        if (error) reject(error);
        else resolve(found);
      });
    });
  }
  const found = await promised('readdir', path, Boolean(withFileTypes), wantsBytes(encoding));
  if (withFileTypes) return toEntries(found, path, encoding);
  return wantsBytes(encoding) ? found.map((name) => decodeName(name, encoding)) : found;
}

async function readlink(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path, 'oldPath');
  return decodeName(await promised('readlink', path, wantsBytes(encoding)), encoding);
}

async function symlink(target, path, type) {
  validateLinkType(type);
  target = getValidatedPath(target, 'target');
  path = getValidatedPath(path);
  await promised('symlink', target, path);
}

async function lstat(path, options = { bigint: false }) {
  validateObject(options, 'options');
  return toStats(await promised('lstat', getValidatedPath(path), options.bigint === true));
}

async function stat(path, options = { bigint: false }) {
  validateObject(options, 'options');
  if (options.signal !== undefined) {
    return new Promise((resolve, reject) => {
      require('fs').stat(path, options, (error, stats) => (error ? reject(error) : resolve(stats)));
    });
  }
  path = getValidatedPath(path);
  try {
    return toStats(await promised('stat', path, options.bigint === true));
  } catch (error) {
    if (options.throwIfNoEntry === false && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

async function statfs(path, options = { bigint: false }) {
  return toStatFs(await promised('statfs', getValidatedPath(path), options.bigint === true));
}

function opendir(path, options) {
  return new Promise((resolve, reject) => {
    require('internal/fs/dir').opendir(path, options ?? {}, (error, dir) => {
      if (error) reject(error);
      else resolve(dir);
    });
  });
}
// Node's is promisify(fs.opendir), which has the parameters of that.
Object.defineProperties(opendir, {
  length: { __proto__: null, value: 3, configurable: true },
  [Symbol.for('nodejs.util.promisify.custom')]: { __proto__: null, value: opendir, configurable: true },
});

async function link(existingPath, newPath) {
  existingPath = getValidatedPath(existingPath, 'existingPath');
  newPath = getValidatedPath(newPath, 'newPath');
  await promised('link', existingPath, newPath);
}

async function unlink(path) {
  await promised('unlink', getValidatedPath(path));
}

async function chmod(path, mode) {
  path = getValidatedPath(path);
  await promised('chmod', path, parseFileMode(mode, 'mode'));
}

async function lchmod(path, mode) {
  throw new ERR_METHOD_NOT_IMPLEMENTED('lchmod()');
}

async function lchown(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  await promised('lchown', path, uid, gid);
}

async function chown(path, uid, gid) {
  path = getValidatedPath(path);
  validateOwner(uid, gid);
  await promised('chown', path, uid, gid);
}

async function utimes(path, atime, mtime) {
  path = getValidatedPath(path);
  await promised('utimes', path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

async function lutimes(path, atime, mtime) {
  path = getValidatedPath(path);
  await promised('lutimes', path, toUnixTimestamp(atime), toUnixTimestamp(mtime));
}

async function realpath(path, options) {
  const { encoding } = getOptions(options);
  path = getValidatedPath(path);
  return decodeName(await promised('realpath', path, wantsBytes(encoding)), encoding);
}

async function mkdtemp(prefix, options) {
  const { encoding } = getOptions(options);
  prefix = getValidatedPath(prefix, 'prefix');
  warnOfTemplate(prefix);
  return decodeName(await promised('mkdtemp', prefix, wantsBytes(encoding)), encoding);
}

async function mkdtempDisposable(prefix, options) {
  const { resolve } = require('path');
  const cwd = process.cwd();
  const path = await mkdtemp(prefix, options);
  // The program may be somewhere else when it is removed.
  const fullPath = resolve(cwd, `${path}`);
  const remove = () => rm(fullPath, { force: true, recursive: true });
  return {
    __proto__: null,
    path,
    remove,
    async [Symbol.asyncDispose]() {
      await remove();
    },
  };
}

async function cp(source, target, options) {
  await require('internal/fs/cp').promisedCp(source, target, options);
}

async function* glob(pattern, options) {
  yield* require('internal/fs/glob').promisedGlob(pattern, options);
}

async function* _watch(filename, options = undefined) {
  yield* require('internal/fs/watchers').promisedWatch(filename, options);
}

module.exports = {
  FileHandle,
  kRef,
  kUnref,
  installStreamIter,
  exports: {
    access,
    copyFile,
    cp,
    glob,
    open,
    opendir,
    rename,
    truncate,
    rm,
    rmdir,
    mkdir,
    readdir,
    readlink,
    symlink,
    lstat,
    stat,
    statfs,
    link,
    unlink,
    chmod,
    lchmod,
    lchown,
    chown,
    utimes,
    lutimes,
    realpath,
    mkdtemp,
    mkdtempDisposable,
    writeFile,
    appendFile,
    readFile,
    watch: _watch,
    constants,
  },
};
