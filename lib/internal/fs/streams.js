'use strict';
// fs.ReadStream and fs.WriteStream.

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_THIS, ERR_METHOD_NOT_IMPLEMENTED, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const { beginWhole, setWhole } = require('internal/fs/native');
const { copyObject, getOptions, getValidatedFd, getValidatedPath } = require('internal/fs/utils');
const { SafeWeakMap } = require('internal/util/safe');
const { validateBoolean, validateFunction, validateInteger } = require('internal/validators');
const { Readable, Writable, finished } = require('stream');
const { errorOrDestroy } = require('internal/streams/destroy');

const kFs = Symbol('kFs');
const kIsPerformingIO = Symbol('kIsPerformingIO');
const kIoDone = Symbol('kIoDone');
const kHandle = Symbol('kHandle');

const kReadAtOnce = 64 * 1024;

const wholes = new SafeWeakMap(); // stream -> what its operations are parts of

// ---- What a stream works with ----

// The functions of node:fs for a FileHandle of node:fs/promises.
function handleOperations(handle) {
  const calling = (promise, callback) => {
    promise.then((value) => callback(null, value), (error) => callback(error));
  };
  return {
    open() {
      throw new ERR_METHOD_NOT_IMPLEMENTED('open()');
    },
    close: (fd, callback) => {
      // The stream does not hold it any more.
      handle[require('internal/fs/promises').kUnref]();
      calling(handle.close(), (error) => callback(error));
    },
    fsync: (fd, callback) => calling(handle.sync(), (error) => callback(error)),
    read: (fd, buffer, offset, length, position, callback) => {
      calling(handle.read(buffer, offset, length, position),
        (error, result) => callback(error, result?.bytesRead, buffer));
    },
    write: (fd, buffer, offset, length, position, callback) => {
      calling(handle.write(buffer, offset, length, position),
        (error, result) => callback(error, result?.bytesWritten, buffer));
    },
    writev: (fd, buffers, position, callback) => {
      calling(handle.writev(buffers, position),
        (error, result) => callback(error, result?.bytesWritten, buffers));
    },
  };
}

// options.fd: a number, or a FileHandle, which the stream then closes with itself.
function importFd(stream, options) {
  const { fd } = options;
  if (typeof fd === 'number') {
    stream[kFs] = options.fs || require('fs');
    return getValidatedFd(fd);
  }
  const { FileHandle, kRef } = require('internal/fs/promises');
  if (typeof fd === 'object' && fd instanceof FileHandle) {
    if (options.fs) throw new ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
    const number = getValidatedFd(fd.fd); // which a closed one has not
    stream[kHandle] = fd;
    stream[kFs] = handleOperations(fd);
    fd[kRef]();
    fd.on('close', () => stream.close());
    return number;
  }
  throw new ERR_INVALID_ARG_TYPE('options.fd', ['number', 'FileHandle'], fd);
}

// The functions in options.fs that a stream cannot do without.
function setWholeOfStream(stream, method) {
  const whole = beginWhole(method, stream.path, true);
  if (whole !== undefined) wholes.set(stream, whole);
}

function checkFs(fs, names) {
  for (const name of names) validateFunction(fs[name], `options.fs.${name}`);
}

function construct(callback) {
  const stream = this;
  if (typeof stream.fd === 'number') {
    callback();
    return;
  }
  if (typeof stream.open === 'function') {
    // The program's own, as programs had it before there was _construct(): it emits 'open' and 'error'.
    const { emit } = stream;
    stream.emit = function(...args) {
      if (args[0] === 'open') {
        this.emit = emit;
        callback();
        Reflect.apply(emit, this, args);
      } else if (args[0] === 'error') {
        this.emit = emit;
        callback(args[1]);
      } else {
        Reflect.apply(emit, this, args);
      }
    };
    stream.open();
    return;
  }
  stream[kFs].open(stream.path, stream.flags, stream.mode, (error, fd) => {
    if (error) {
      callback(error);
      return;
    }
    stream.fd = fd;
    const whole = wholes.get(stream);
    if (typeof fd === 'number' && whole !== undefined) setWhole(fd, whole);
    callback();
    stream.emit('open', stream.fd);
    stream.emit('ready');
  });
}
Object.defineProperty(construct, 'name', { __proto__: null, value: '_construct' });

function close(stream, error, callback) {
  if (!stream.fd) {
    callback(error);
    return;
  }
  const { fd } = stream;
  const closeNow = (before) => {
    stream[kFs].close(fd, (closeError) => callback(before || closeError || error));
  };
  if (stream.flush) stream[kFs].fsync(fd, closeNow);
  else closeNow(null);
  stream.fd = null;
}

// After the current operation.
function destroy(error, callback) {
  if (this[kIsPerformingIO]) {
    this.once(kIoDone, (ioError) => close(this, error || ioError, callback));
  } else {
    close(this, error, callback);
  }
}

function checkStart(options) {
  if (options.start !== undefined) validateInteger(options.start, 'start', 0);
}

function addCommon(Stream, state) {
  Object.defineProperty(Stream.prototype, 'autoClose', {
    __proto__: null,
    get() {
      if (this?.[state] === undefined) throw new ERR_INVALID_THIS(Stream.name);
      return this[state].autoDestroy;
    },
    set(value) { this[state].autoDestroy = value; },
  });
  Stream.prototype._construct = construct;
}

function addPending(Stream) {
  Object.defineProperty(Stream.prototype, 'pending', {
    __proto__: null,
    get() { return this.fd === null; },
    configurable: true,
  });
}

// ---- Reading ----

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  options = copyObject(getOptions(options));
  if (options.highWaterMark === undefined) options.highWaterMark = kReadAtOnce;
  if (options.autoDestroy === undefined) options.autoDestroy = true;

  if (options.fd == null) {
    this.fd = null;
    this[kFs] = options.fs || require('fs');
    checkFs(this[kFs], ['open']);
    this.path = getValidatedPath(path);
    setWholeOfStream(this, 'createReadStream');
    this.flags = options.flags === undefined ? 'r' : options.flags;
    this.mode = options.mode === undefined ? 0o666 : options.mode;
  } else {
    this.fd = importFd(this, options);
  }
  if (options.autoClose !== undefined) options.autoDestroy = options.autoClose;
  checkFs(this[kFs], options.autoDestroy ? ['read', 'close'] : ['read']);

  this.start = options.start;
  this.end = options.end === undefined ? Infinity : options.end;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kIsPerformingIO] = false;
  checkStart(options);
  if (this.start !== undefined) this.pos = this.start;
  if (this.end !== Infinity) {
    validateInteger(this.end, 'end', 0);
    if (this.start !== undefined && this.start > this.end) {
      throw new ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, this.start);
    }
  }
  Reflect.apply(Readable, this, [options]);
  if (options.encoding) this.setEncoding(options.encoding);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);
addCommon(ReadStream, '_readableState');

ReadStream.prototype._read = function(n) {
  n = Math.min(this.end - (this.pos ?? this.bytesRead) + 1, n);
  if (n <= 0) {
    this.push(null);
    return;
  }
  const buffer = Buffer.allocUnsafeSlow(n);
  this[kIsPerformingIO] = true;
  this[kFs].read(this.fd, buffer, 0, n, this.pos, (error, bytesRead, filled) => {
    this[kIsPerformingIO] = false;
    if (this.destroyed) {
      this.emit(kIoDone, error);
      return;
    }
    if (error) {
      errorOrDestroy(this, error);
    } else if (bytesRead > 0) {
      this.bytesRead += bytesRead;
      if (this.pos !== undefined) this.pos += bytesRead;
      // A small part of a large buffer must not keep the whole of it.
      this.push(bytesRead === filled.length ? filled : Buffer.copyBytesFrom(filled, 0, bytesRead));
    } else {
      this.push(null);
    }
  });
};

ReadStream.prototype._destroy = function(error, callback) {
  Reflect.apply(destroy, this, [error, callback]);
};

ReadStream.prototype.close = function(callback) {
  if (typeof callback === 'function') finished(this, callback);
  this.destroy();
};
addPending(ReadStream);

// ---- Writing ----

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  options = copyObject(getOptions(options));
  options.decodeStrings = true;

  if (options.fd == null) {
    this.fd = null;
    this[kFs] = options.fs || require('fs');
    checkFs(this[kFs], ['open']);
    this.path = getValidatedPath(path);
    setWholeOfStream(this, 'createWriteStream');
    this.flags = options.flags === undefined ? 'w' : options.flags;
    this.mode = options.mode === undefined ? 0o666 : options.mode;
  } else {
    this.fd = importFd(this, options);
  }
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  if (options.flush == null) {
    this.flush = false;
  } else {
    validateBoolean(options.flush, 'options.flush');
    this.flush = options.flush;
  }
  const fs = this[kFs];
  if (!fs.write && !fs.writev) {
    throw new ERR_INVALID_ARG_TYPE('options.fs.write', 'function', fs.write);
  }
  if (fs.write) checkFs(fs, ['write']);
  if (fs.writev) checkFs(fs, ['writev']);
  if (options.autoDestroy) checkFs(fs, ['close']);
  // Without one of the two, everything goes by the other.
  if (!fs.write) this._write = null;
  if (!fs.writev) this._writev = null;

  this.start = options.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kIsPerformingIO] = false;
  checkStart(options);
  if (this.start !== undefined) this.pos = this.start;
  Reflect.apply(Writable, this, [options]);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);
addCommon(WriteStream, '_writableState');

const kMostTries = 5;

// Until all is written: a descriptor may take a part, or ask to be asked again. `write` writes `data`
// and calls back with the error, how much it has written, and what it was given; `rest` is what is
// left of that then.
function writeAll(stream, name, write, rest, data, size, callback, tries = 0) {
  write(stream, data, size, (error, bytesWritten, given) => {
    if (error?.code === 'EAGAIN') {
      error = null;
      bytesWritten = 0;
    }
    if (stream.destroyed || error) {
      callback(error);
      return;
    }
    stream.bytesWritten += bytesWritten;
    tries = bytesWritten === 0 ? tries + 1 : 0;
    size -= bytesWritten;
    if (stream.pos !== undefined) stream.pos += bytesWritten;
    if (tries > kMostTries) {
      callback(new Error(`${name} failed`));
    } else if (size > 0) {
      writeAll(stream, name, write, rest, rest(given, bytesWritten), size, callback, tries);
    } else {
      callback();
    }
  });
}

function writeOne(stream, data, size, callback) {
  stream[kFs].write(stream.fd, data, 0, size, stream.pos, callback);
}

function writeMany(stream, chunks, size, callback) {
  stream[kFs].writev(stream.fd, chunks, stream.pos ?? null, callback);
}

const restOfOne = (buffer, written) => buffer.subarray(written);
const restOfMany = (buffers, written) => [Buffer.concat(buffers).subarray(written)];

function afterIo(stream, callback) {
  stream[kIsPerformingIO] = true;
  return (error) => {
    stream[kIsPerformingIO] = false;
    if (stream.destroyed) {
      // Calls what waits for the end.
      callback(error);
      stream.emit(kIoDone, error);
      return;
    }
    callback(error);
  };
}

WriteStream.prototype._write = function(data, encoding, callback) {
  writeAll(this, 'write', writeOne, restOfOne, data, data.length, afterIo(this, callback));
};

WriteStream.prototype._writev = function(data, callback) {
  const chunks = data.map(({ chunk }) => chunk);
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  writeAll(this, 'writev', writeMany, restOfMany, chunks, size, afterIo(this, callback));
};

WriteStream.prototype._destroy = function(error, callback) {
  Reflect.apply(destroy, this, [error, callback]);
};

WriteStream.prototype.close = function(callback) {
  if (callback) {
    if (this.closed) {
      process.nextTick(callback);
      return;
    }
    this.on('close', callback);
  }
  // Without autoClose nothing else would.
  if (!this.autoClose) this.on('finish', this.destroy);
  this.end();
};

// There is no shutdown() of files.
WriteStream.prototype.destroySoon = WriteStream.prototype.end;
addPending(WriteStream);

module.exports = { ReadStream, WriteStream, FileReadStream: ReadStream, FileWriteStream: WriteStream };
