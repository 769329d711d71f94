'use strict';
// readFile, writeFile and appendFile, with callbacks and at once: several steps each (open, look at
// the size, read, close), and each step is an operation of its own. To read or to replace what a path
// names is one operation, unless a signal has to be heard in between.

const {
  AbortError, codes: { ERR_FS_FILE_TOO_LARGE },
} = require('internal/errors');
const { beginWhole, later, laterAsPart, native, now, setWhole } = require('internal/fs/native');
const { GivenBuffer, validateGivenBuffer } = require('internal/fs/given_buffer');
const { isRegular, kSize } = require('internal/fs/stats');
const {
  copyObject, getOptions, getValidatedFd, getValidatedPath, kMostAtOnce, stringToFlags, validateCallback,
  validateStringAfterArrayBufferView,
} = require('internal/fs/utils');
const { isArrayBufferView } = require('internal/util/types');
const { O_CREAT, O_RDONLY, O_TRUNC, O_WRONLY } = binding('constants').fs;
const { parseFileMode, validateBoolean } = require('internal/validators');
const { Buffer } = require('buffer');
const { FastBuffer } = require('internal/buffer/fast_buffer');

const nativeSync = binding('fs_sync');

const kPiece = 512 * 1024; // read at a time, of a file whose size is known
const kUnknownPiece = 64 * 1024; // and of one whose size is not

// A negative number is a wrong descriptor, not a wrong path.
function isFd(path) {
  return path === (path | 0);
}

function abortError({ reason }) {
  return new AbortError(undefined, { cause: reason });
}

// ---- Reading ----

// What has been read of a file.
class Content {
  constructor(size) {
    this.size = size; // 0: unknown
    this.buffer = size === 0 ? undefined : Buffer.allocUnsafeSlow(size);
    this.chunks = [];
    this.filled = 0;
    this.done = false;
  }

  // Where to read to next: [buffer, from, count].
  next() {
    if (this.size === 0) {
      return this.place = [Buffer.allocUnsafeSlow(kUnknownPiece), 0, kUnknownPiece];
    }
    return this.place = [this.buffer, this.filled, Math.min(kPiece, this.size - this.filled)];
  }

  took(count) {
    this.filled += count;
    if (this.size === 0) {
      if (count > 0) this.chunks.push(this.place[0].subarray(0, count));
      this.done = count === 0;
    } else {
      this.done = count === 0 || this.filled === this.size;
    }
  }

  take(encoding) {
    const { size, filled } = this;
    let result;
    if (size === 0) result = Buffer.concat(this.chunks, filled);
    else result = filled === size ? this.buffer : this.buffer.subarray(0, filled);
    return encoding ? result.toString(encoding) : result;
  }
}

function contentFor(options, numbers) {
  const size = sizeToRead(numbers);
  return options.buffer === undefined ? new Content(size) : new GivenBuffer(options, size);
}

function sizeToRead(numbers) {
  const size = isRegular(numbers) ? numbers[kSize] : 0;
  if (size > kMostAtOnce) throw new ERR_FS_FILE_TOO_LARGE(size);
  return size;
}

// If a file was opened by its path, a failed read reports that path.
function withPath(error, path) {
  if (error?.syscall !== 'read') return error;
  const { message } = error;
  error.message = `${message} '${path}'`;
  error.path = typeof path === 'string' ? path : `${path}`;
  error.stack = error.stack.replace(message, () => error.message);
  return error;
}

class ReadFileContext {
  constructor(callback, options) {
    const { encoding, signal } = options;
    this.path = undefined;
    this.callback = callback;
    this.options = options;
    this.encoding = encoding;
    this.signal = signal;
    this.fd = undefined;
    this.isUserFd = false;
    this.content = undefined;
  }

  opened(fd) {
    this.fd = fd;
    if (this.signal?.aborted) {
      this.close(abortError(this.signal));
      return;
    }
    later('fstat', (error, numbers) => {
      if (error !== null) {
        this.close(error);
        return;
      }
      try {
        this.content = contentFor(this.options, numbers);
      } catch (refused) { // the size, or the program's buffer
        this.close(refused);
        return;
      }
      this.read();
    }, fd, false);
  }

  read() {
    if (this.signal?.aborted) {
      this.close(abortError(this.signal));
      return;
    }
    later('read', (error, count) => {
      if (error !== null) {
        this.close(this.path === undefined ? error : withPath(error, this.path));
        return;
      }
      try {
        this.content.took(count);
      } catch (tooSmall) { // the program's buffer
        this.close(tooSmall);
        return;
      }
      if (this.content.done) this.close(null);
      else this.read();
    }, this.fd, ...this.content.next(), -1);
  }

  close(error) {
    if (this.isUserFd) {
      process.nextTick(() => this.finish(error));
      return;
    }
    later('close', (closeError) => this.finish(error ?? closeError), this.fd);
  }

  finish(error) {
    if (error) {
      this.callback(error);
      return;
    }
    let result;
    try {
      result = this.content.take(this.encoding);
    } catch (tooLong) { // for a string
      this.callback(tooLong);
      return;
    }
    this.callback(null, result);
  }
}

// Larger than can be read at once: how large is found out step by step, for the message.
function isTooLarge(error) {
  return error.code === 'EFBIG';
}

function decoded(buffer, encoding) {
  return encoding ? buffer.toString(encoding) : buffer;
}

// context: encoding and callback. otherwise(): what to do if it cannot be done in one step.
function readInOneStep(whole, path, context, otherwise) {
  laterAsPart(whole, 'readFile', (error, buffer) => {
    if (error !== null) {
      if (isTooLarge(error)) otherwise();
      else context.callback(error);
      return;
    }
    let result;
    try {
      result = decoded(buffer, context.encoding);
    } catch (tooLong) { // for a string
      context.callback(tooLong);
      return;
    }
    context.callback(null, result);
  }, path);
}

function readFile(path, options, callback) {
  callback ||= options;
  validateCallback(callback);
  options = getOptions(options, { flag: 'r' });
  validateGivenBuffer(options);
  const context = new ReadFileContext(callback, options);
  if (options.signal?.aborted) {
    process.nextTick(callback, abortError(options.signal));
    return;
  }
  if (isFd(path)) {
    context.isUserFd = true;
    process.nextTick(() => context.opened(path));
    return;
  }
  const flags = stringToFlags(options.flag);
  path = getValidatedPath(path);
  context.path = path;
  const whole = beginWhole('readFile', path, false, callback);
  const stepByStep = () => laterAsPart(whole, 'open', (error, fd) => {
    if (error !== null) {
      context.callback(error);
      return;
    }
    setWhole(fd, whole);
    context.opened(fd);
  }, path, flags, 0o666);
  const isOneStep = flags === O_RDONLY && options.signal === undefined && options.buffer === undefined;
  if (isOneStep) readInOneStep(whole, path, context, stepByStep);
  else stepByStep();
}

const kReadDefaults = { flag: 'r', encoding: undefined };

function isUtf8(encoding) {
  return encoding === 'utf8' || encoding === 'utf-8';
}

function readFileSync(path, options) {
  options = getOptions(options, kReadDefaults);
  const { buffer, encoding } = options;
  if (buffer !== undefined) validateGivenBuffer(options);
  if (isFd(path)) {
    if (buffer === undefined && isUtf8(encoding)) return readDescriptorSync(path, options, 'read');
    return readDescriptorSync(getValidatedFd(path), options);
  }
  const flags = stringToFlags(options.flag);
  if (buffer !== undefined) return readGivenSync(getValidatedPath(path), flags, options);
  const asString = isUtf8(encoding);
  const result = nativeSync.readFile(getValidatedPath(path), flags, asString, kMostAtOnce);
  if (typeof result === 'number') throw new ERR_FS_FILE_TOO_LARGE(result);
  return asString ? result : decoded(new FastBuffer(result), encoding);
}

function readGivenSync(path, flags, options) {
  const fd = now('open', path, flags, 0o666);
  try {
    return readDescriptorSync(fd, options);
  } finally {
    now('close', fd);
  }
}

// firstCall: which system call reports what is wrong with the descriptor.
function readDescriptorSync(fd, options, firstCall = 'fstat') {
  let numbers;
  try {
    numbers = native.fstat(undefined, undefined, fd, false);
  } catch (error) {
    if (error.syscall !== 'fstat' || firstCall === 'fstat') throw error;
  }
  const content = numbers === undefined ? new Content(0) : contentFor(options, numbers);
  while (!content.done) {
    const [buffer, from, count] = content.next();
    content.took(native.read(undefined, undefined, fd, buffer, from, count, -1));
  }
  return content.take(options.encoding);
}

// ---- Writing ----

function toBytes(data, encoding) {
  if (isArrayBufferView(data)) return data;
  validateStringAfterArrayBufferView(data, 'data');
  return Buffer.from(data, encoding || 'utf8');
}

function writeAll(fd, isUserFd, buffer, signal, flush, callback) {
  const close = (error) => {
    if (isUserFd) callback(error);
    else later('close', (closeError) => callback(error ?? closeError), fd);
  };
  // A file that we have opened has no other writer: that its place is given, not taken from the descriptor, lets the ring
  // write it (see src/io/fs/open_files.cpp). One that appends does so at any position.
  let placed = !isUserFd;
  let written = 0;
  const next = () => {
    if (signal?.aborted) {
      close(abortError(signal));
      return;
    }
    later('writeBuffer', (error, count) => {
      if (error !== null) {
        if (placed && error.code === 'ESPIPE') { // no file: a FIFO, a terminal
          placed = false;
          next();
        } else {
          close(error);
        }
        return;
      }
      written += count;
      if (written < buffer.byteLength) next();
      else if (flush) require('fs').fsync(fd, (syncError) => close(syncError));
      else close(null);
    }, fd, buffer, written, buffer.byteLength - written, placed ? written : -1);
  };
  next();
}

const kReplace = O_WRONLY | O_CREAT | O_TRUNC; // 'w'

// Whether writing these bytes is one operation of C++.
function isOneWrite(flags, data, signal) {
  return flags === kReplace && signal === undefined && isArrayBufferView(data);
}

const kWriteDefaults = { encoding: 'utf8', mode: 0o666, flag: 'w', flush: false };

function checkWriteOptions(options, defaults) {
  options = getOptions(options, defaults);
  const flush = options.flush ?? false;
  validateBoolean(flush, 'options.flush');
  return { options, flush, flag: options.flag || 'w', mode: parseFileMode(options.mode, 'mode', 0o666) };
}

function writeFile(path, data, options, callback) {
  callback ||= options;
  validateCallback(callback);
  const checked = checkWriteOptions(options, kWriteDefaults);
  const { signal } = checked.options;
  data = toBytes(data, checked.options.encoding);
  if (isFd(path)) {
    path = getValidatedFd(path);
    writeAll(path, true, data, signal, checked.flush, callback);
    return;
  }
  if (signal?.aborted) {
    process.nextTick(callback, abortError(signal));
    return;
  }
  path = getValidatedPath(path);
  const flags = stringToFlags(checked.flag);
  const whole = beginWhole(checked.flag === 'a' ? 'appendFile' : 'writeFile', path, false, callback);
  if (isOneWrite(flags, data, signal)) {
    laterAsPart(whole, 'writeFile', (error) => callback(error), path, data, checked.mode, checked.flush);
    return;
  }
  laterAsPart(whole, 'open', (error, fd) => {
    if (error !== null) {
      callback(error);
      return;
    }
    setWhole(fd, whole);
    writeAll(fd, false, data, signal, checked.flush, callback);
  }, path, flags, checked.mode);
}

function writeFileSync(path, data, options) {
  const { options: all, flush, flag, mode } = checkWriteOptions(options, kWriteDefaults);
  const isUserFd = isFd(path);
  if (isUserFd && typeof data !== 'string') path = getValidatedFd(path); // Node writes a string at once: EBADF
  data = toBytes(data, all.encoding);
  const flags = stringToFlags(flag);
  const fd = isUserFd ? path : now('open', getValidatedPath(path), flags, mode);
  try {
    let written = 0;
    do {
      written += now('writeBuffer', fd, data, written, data.byteLength - written, -1);
    } while (written < data.byteLength);
    if (flush) require('fs').fsyncSync(fd);
  } finally {
    if (!isUserFd) now('close', fd);
  }
}

const kAppendDefaults = { encoding: 'utf8', mode: 0o666, flag: 'a', flush: false };

function appendOptions(path, options) {
  options = copyObject(getOptions(options, kAppendDefaults));
  if (!options.flag || isFd(path)) options.flag = 'a';
  return options;
}

function appendFile(path, data, options, callback) {
  callback ||= options;
  validateCallback(callback);
  require('fs').writeFile(path, data, appendOptions(path, options), callback);
}

function appendFileSync(path, data, options) {
  require('fs').writeFileSync(path, data, appendOptions(path, options));
}

module.exports = {
  appendFile, appendFileSync, contentFor, isFd, isOneWrite, readFile, readInOneStep, readFileSync, withPath, writeFile,
  writeFileSync,
};
