'use strict';
// net.Socket: a Duplex on a handle (see internal/native/stream_handle) that connects, or was accepted, or
// belongs to a descriptor from outside.

const {
  ErrnoException,
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_FD_TYPE, ERR_INVALID_HANDLE_TYPE,
    ERR_OUT_OF_RANGE, ERR_SOCKET_CLOSED, ERR_SOCKET_CLOSED_BEFORE_CONNECTION,
  },
} = require('internal/errors');
const { activeChannels } = require('internal/trace/active_channels');
const { async_id_symbol } = require('internal/async_hooks');
const {
  closeHandle, hasRest, initHandle, kAfterAsyncWrite, kAfterWriteDispatched, kBuffer, kBufferCallback,
  kBufferMaker, kOwner, kUpdateTimer, onHandleRead, shutdownHandle, writeAllToHandle, writeToHandle,
} = require('internal/native/stream_handle');
const { isBlockList } = require('internal/net/block_list');
const { adopt, isBoundSocket } = require('internal/net/bound_socket');
const { normalizeArgs } = require('internal/net/normalize');
const { hasDescriptor } = require('internal/native/open_handles');
const {
  validateAbortSignal, validateFunction, validateInt32, validateNumber,
} = require('internal/validators');
const { Duplex } = require('stream');

const kHandle = Symbol('kHandle');
const kTimeout = Symbol('timeout');
const kBytesRead = Symbol('kBytesRead');
const kBytesWritten = Symbol('kBytesWritten');
const kSetNoDelay = Symbol('kSetNoDelay');
const kSetKeepAlive = Symbol('kSetKeepAlive');
const kSetKeepAliveInitialDelay = Symbol('kSetKeepAliveInitialDelay');
const kSetKeepAliveInterval = Symbol('kSetKeepAliveInterval');
const kSetKeepAliveCount = Symbol('kSetKeepAliveCount');
const kSetTypeOfService = Symbol('kSetTypeOfService');
const kLastQueueSize = Symbol('lastWriteQueueSize');
const kReinitializeHandle = Symbol('kReinitializeHandle');
const kBound = Symbol('kBound'); // what a socket from a net.BoundSocket has: { path }

const kMostTimeout = 2 ** 31 - 1;
const EEXIST = -17;

function noop() {}

// ---- Making one ----

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  if (options?.objectMode) {
    throw new ERR_INVALID_ARG_VALUE('options.objectMode', options.objectMode, 'is not supported');
  }
  if (options?.readableObjectMode || options?.writableObjectMode) {
    const name = options.readableObjectMode ? 'readableObjectMode' : 'writableObjectMode';
    throw new ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], 'is not supported');
  }
  if (options?.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
  }
  if (options?.signal) validateAbortSignal(options.signal, 'signal');
  if (options?.blockList) {
    if (!isBlockList(options.blockList)) {
      throw new ERR_INVALID_ARG_TYPE('options.blockList', 'net.BlockList', options.blockList);
    }
    this.blockList = options.blockList;
  }

  this.connecting = false;
  // Whether 'error' was emitted: the argument of 'close'.
  this._hadError = false;
  this[async_id_symbol] = -1;
  this[kHandle] = null;
  this._parent = null;
  this._host = null;
  this[kLastQueueSize] = 0;
  this[kTimeout] = null;
  this[kBuffer] = null;
  this[kBufferCallback] = null;
  this[kBufferMaker] = null;
  this._closeAfterHandlingError = false;

  options = typeof options === 'number' ? { fd: options } : { ...options };
  // A socket closes by its handle, which reports when that is done.
  options.emitClose = false;
  options.autoDestroy = true;
  options.allowHalfOpen = Boolean(options.allowHalfOpen);
  options.decodeStrings = false;
  Reflect.apply(Duplex, this, [options]);

  const isBound = isBoundSocket(options.handle);
  if (isBound) {
    const { handle, path } = adopt(options.handle);
    this._handle = handle;
    this[kBound] = { path };
    this[async_id_symbol] = this._handle.getAsyncId();
  } else if (options.handle) {
    this._handle = options.handle;
    this[async_id_symbol] = this._handle.getAsyncId?.() ?? -1;
  } else if (options.fd !== undefined) {
    this._handle = openDescriptor(options.fd);
    this[async_id_symbol] = this._handle.getAsyncId();
  }

  const { onread } = options;
  if (onread !== null && typeof onread === 'object' &&
      (ArrayBuffer.isView(onread.buffer) || typeof onread.buffer === 'function') &&
      typeof onread.callback === 'function') {
    if (typeof onread.buffer === 'function') {
      this[kBuffer] = onread.buffer();
      this[kBufferMaker] = onread.buffer;
    } else {
      this[kBuffer] = onread.buffer;
    }
    this[kBufferCallback] = onread.callback;
  }

  this[kSetNoDelay] = Boolean(options.noDelay);
  this[kSetKeepAlive] = Boolean(options.keepAlive);
  this[kSetKeepAliveInitialDelay] = Math.max(0, Math.trunc(options.keepAliveInitialDelay / 1000) || 0);
  this[kSetKeepAliveInterval] = undefined;
  this[kSetKeepAliveCount] = undefined;
  if (options.typeOfService !== undefined) validateInt32(options.typeOfService, 'options.typeOfService', 0, 255);
  this[kSetTypeOfService] = options.typeOfService;

  this.on('end', onReadableStreamEnd);
  initSocketHandle(this);
  this._sockname = null;
  this._pendingData = null;
  this._pendingEncoding = '';
  this.server = null;
  this._server = null;
  this[kBytesRead] = 0;
  this[kBytesWritten] = 0;

  if (this._handle && !isBound && options.readable !== false) {
    if (options.pauseOnCreate) {
      // The program will ask for data when it has found a handler for the connection.
      this._handle.reading = false;
      this._handle.readStop();
      this.readableFlowing = false;
    } else if (!options.manualStart) {
      this.read(0);
    }
  }
}
Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);

// A function, so that its `prototype` can be what Node's is: enumerable methods.
function define(methods) {
  const descriptors = Object.getOwnPropertyDescriptors(methods);
  // Not `of`: a program may have deleted the iterator of arrays before it needs a socket.
  const keys = Reflect.ownKeys(descriptors);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    const { value } = descriptors[key];
    if (typeof value === 'function') {
      // As functions that were assigned.
      Object.defineProperty(value, 'name', { __proto__: null, value: '', configurable: true });
    }
    Object.defineProperty(Socket.prototype, key, descriptors[key]);
  }
}

// The streams of the process are written to at once; see internal/process/stdio.
function openDescriptor(fd) {
  validateInt32(fd, 'fd', 0);
  const { guessHandleType } = require('internal/native/guess_handle_type');
  const type = guessHandleType(fd);
  if (type !== 'PIPE' && type !== 'TCP') throw new ERR_INVALID_FD_TYPE(type);
  const isStandard = fd <= 2; // shared with other processes, and never closed
  if (!isStandard && hasDescriptor(fd)) throw new ErrnoException(EEXIST, 'open');
  if (type === 'TCP' && !isStandard) {
    const handle = initHandle(new (binding('tcp').TCP)(), 'TCPWRAP');
    if (handle.open(fd) === 0) return handle;
    closeHandle(handle); // it is not connected
  }
  const { Descriptor } = binding('pipe');
  return initHandle(new Descriptor(fd, fd === 1 || fd === 2), type === 'TCP' ? 'TCPWRAP' : 'PIPEWRAP');
}

function initSocketHandle(socket) {
  const handle = socket._handle;
  if (!handle) return;
  // Another life: also that of a socket whose signal was aborted before it had a handle.
  if (socket.destroyed) socket._undestroy();
  handle[kOwner] = socket;
  handle.onread = onHandleRead;
  socket[async_id_symbol] = handle.getAsyncId?.() ?? -1;
}

// Without allowHalfOpen nothing can be written after the other side has ended.
function onReadableStreamEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterEnd;
}

function writeAfterEnd(chunk, encoding, callback) {
  if (!this.writableEnded) return Reflect.apply(Duplex.prototype.write, this, arguments);
  if (typeof encoding === 'function') callback = encoding;
  const error = new Error('This socket has been ended by the other party');
  error.code = 'EPIPE';
  if (typeof callback === 'function') process.nextTick(callback, error);
  this.destroy(error);
  return false;
}

// ---- Reading ----

function tryReadStart(socket) {
  socket._handle.reading = true;
  if (hasRest(socket)) return;
  const status = socket._handle.readStart();
  if (status) socket.destroy(new ErrnoException(status, 'read'));
}

define({
  _read(size) {
    if (this.connecting || !this._handle) {
      this.once('connect', () => this._read(size));
    } else if (!this._handle.reading) {
      tryReadStart(this);
    }
  },

  pause() {
    if (this[kBuffer] && !this.connecting && this._handle?.reading) {
      this._handle.reading = false;
      if (!this.destroyed) {
        const status = this._handle.readStop();
        if (status) this.destroy(new ErrnoException(status, 'read'));
      }
    }
    return Duplex.prototype.pause.call(this);
  },

  resume() {
    if (this[kBuffer] && !this.connecting && this._handle && !this._handle.reading) {
      tryReadStart(this);
    }
    return Duplex.prototype.resume.call(this);
  },

  read(n) {
    if (this[kBuffer] && !this.connecting && this._handle && !this._handle.reading) {
      tryReadStart(this);
    }
    return Duplex.prototype.read.call(this, n);
  },

  // ---- Writing ----

  _writeGeneric(writev, data, encoding, callback) {
    // What is written before the connection is there waits for it.
    if (this.connecting) {
      this._pendingData = data;
      this._pendingEncoding = encoding;
      const onClose = () => callback(new ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
      this.once('connect', function connect() {
        this.off('close', onClose);
        this._writeGeneric(writev, data, encoding, callback);
      });
      this.once('close', onClose);
      return;
    }
    this._pendingData = null;
    this._pendingEncoding = '';
    if (!this._handle) {
      callback(new ERR_SOCKET_CLOSED());
      return;
    }
    this._unrefTimer();
    if (writev) writeAllToHandle(this._handle, data, callback);
    else writeToHandle(this._handle, data, encoding, callback);
  },

  _writev(chunks, callback) {
    this._writeGeneric(true, chunks, '', callback);
  },

  _write(data, encoding, callback) {
    this._writeGeneric(false, data, encoding, callback);
  },

  [kAfterWriteDispatched](bytes) {
    this[kLastQueueSize] = bytes;
  },

  [kAfterAsyncWrite]() {
    this[kLastQueueSize] = 0;
  },

  // ---- Ending ----

  _final(callback) {
    if (this.connecting) {
      this.once('connect', () => this._final(callback));
      return;
    }
    if (!this._handle) {
      callback();
      return;
    }
    shutdownHandle(this._handle, callback);
  },

  end(data, encoding, callback) {
    Duplex.prototype.end.call(this, data, encoding, callback);
    return this;
  },

  // When what was written is gone, and not before.
  destroySoon() {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', this.destroy);
  },

  resetAndDestroy() {
    if (!this._handle) {
      this.destroy(new ERR_SOCKET_CLOSED());
      return this;
    }
    if (typeof this._handle.reset !== 'function') {
      throw new ERR_INVALID_HANDLE_TYPE();
    }
    if (this.connecting) {
      this.once('connect', () => this._reset());
    } else {
      this._reset();
    }
    return this;
  },

  _reset() {
    this.resetAndClosing = true;
    return this.destroy();
  },

  _destroy(exception, callback) {
    this.connecting = false;
    for (let socket = this; socket !== null; socket = socket._parent) {
      clearTimeout(socket[kTimeout]);
    }
    if (this._handle) {
      const isException = exception ? true : false;
      const handle = this._handle;
      this[kBytesRead] = handle.bytesRead;
      this[kBytesWritten] = handle.bytesWritten;
      if (this.resetAndClosing) {
        this.resetAndClosing = false;
        const status = handle.reset();
        if (status) this.emit('error', new ErrnoException(status, 'reset'));
      }
      if (this._closeAfterHandlingError) {
        queueMicrotask(() => closeHandle(handle, () => this.emit('close', isException)));
      } else {
        closeHandle(handle, () => this.emit('close', isException));
      }
      handle.onread = noop;
      this._handle = null;
      this._sockname = null;
      callback(exception);
    } else {
      callback(exception);
      process.nextTick(emitCloseNT, this);
    }
    if (this._server) {
      this._server._connections--;
      this._server._emitCloseIfDrained?.();
    }
  },

  // ---- Options ----

  setNoDelay(enable) {
    enable = Boolean(enable === undefined ? true : enable);
    if (!this._handle || this.connecting) {
      this[kSetNoDelay] = enable;
    } else if (this._handle.setNoDelay && enable !== this[kSetNoDelay]) {
      this[kSetNoDelay] = enable;
      this._handle.setNoDelay(enable);
    }
    return this;
  },

  // (enable, initialDelay, interval, count), or an object with these names.
  setKeepAlive(enable, initialDelayMsecs, intervalMsecs, count) {
    if (enable !== null && typeof enable === 'object') {
      ({ enable, initialDelay: initialDelayMsecs, interval: intervalMsecs, count } = enable);
    }
    enable = Boolean(enable);
    const initialDelay = Math.trunc(initialDelayMsecs / 1000) || 0;
    const interval = intervalMsecs === undefined ? undefined : Math.trunc(intervalMsecs / 1000) || 0;
    const isSame = enable === this[kSetKeepAlive] && (!enable || (
      initialDelay === this[kSetKeepAliveInitialDelay] && interval === this[kSetKeepAliveInterval] &&
      count === this[kSetKeepAliveCount]));
    const isDeferred = !this._handle || this.connecting;
    if (isSame || (!isDeferred && !this._handle.setKeepAlive)) return this;
    this[kSetKeepAlive] = enable;
    this[kSetKeepAliveInitialDelay] = initialDelay;
    this[kSetKeepAliveInterval] = interval;
    this[kSetKeepAliveCount] = count;
    if (!isDeferred) this._handle.setKeepAlive(enable, initialDelay, interval, count);
    return this;
  },

  setTypeOfService(tos) {
    if (Number.isNaN(tos)) throw new ERR_INVALID_ARG_TYPE('tos', 'number', tos);
    validateInt32(tos, 'tos', 0, 255);
    if (tos === this[kSetTypeOfService]) return this;
    this[kSetTypeOfService] = tos;
    if (!this._handle?.setTypeOfService || this.connecting) return this;
    const status = this._handle.setTypeOfService(tos);
    if (status) throw new ErrnoException(status, 'setTypeOfService');
    return this;
  },

  getTypeOfService() {
    if (!this._handle?.getTypeOfService || this.connecting) return this[kSetTypeOfService] ?? 0;
    const result = this._handle.getTypeOfService();
    if (result < 0) throw new ErrnoException(result, 'getTypeOfService');
    return result;
  },

  ref() {
    if (!this._handle) this.once('connect', this.ref);
    else if (typeof this._handle.ref === 'function') this._handle.ref();
    return this;
  },

  unref() {
    if (!this._handle) this.once('connect', this.unref);
    else if (typeof this._handle.unref === 'function') this._handle.unref();
    return this;
  },

  // ---- Time-outs ----

  // A long write that has made progress since the last look is activity.
  _onTimeout() {
    const { _handle: handle } = this;
    if (this[kLastQueueSize] > 0 && handle) {
      const { writeQueueSize } = handle;
      if (writeQueueSize !== this[kLastQueueSize]) {
        this[kLastQueueSize] = writeQueueSize;
        this._unrefTimer();
        return;
      }
    }
    this.emit('timeout');
  },

  // ---- Connecting ----

  // Another attempt to connect has another handle.
  [kReinitializeHandle](handle) {
    this._handle = handle;
    initSocketHandle(this);
  },

  connect(...args) {
    const { 0: options, 1: callback } = normalizeArgs(args);
    if (activeChannels.size !== 0) activeChannels.get('net.client.socket')?.publish({ socket: this });
    return require('internal/net/connect').connect(this, options, callback);
  },

  // ---- Addresses ----

  address() {
    return this._getsockname();
  },

  _getpeername() {
    if (!this._handle || !this._handle.getpeername || this.connecting) return this._peername || {};
    if (!this._peername) {
      const out = {};
      const status = this._handle.getpeername(out);
      if (status) return out;
      this._peername = out;
    }
    return this._peername;
  },

  _getsockname() {
    if (!this._handle) return {};
    if (this[kBound]?.path !== undefined) return { address: this[kBound].path };
    if (!this._handle.getsockname) return {};
    if (!this._sockname) {
      this._sockname = {};
      this._handle.getsockname(this._sockname);
    }
    return this._sockname;
  },
});

// What was asked for before there was a connection.
function applyOptions(socket, handle) {
  if (socket[kSetNoDelay] && handle.setNoDelay) handle.setNoDelay(true);
  if (socket[kSetKeepAlive] && handle.setKeepAlive) {
    handle.setKeepAlive(true, socket[kSetKeepAliveInitialDelay], socket[kSetKeepAliveInterval],
      socket[kSetKeepAliveCount]);
  }
  if (socket[kSetTypeOfService] !== undefined && handle.setTypeOfService) {
    handle.setTypeOfService(socket[kSetTypeOfService]);
  }
}

function emitCloseNT(socket) {
  socket.emit('close', false);
}

// Marks activity: the timeout is restarted. For the sockets of a TLS socket's too.
Socket.prototype._unrefTimer = function _unrefTimer() {
  for (let socket = this; socket !== null; socket = socket._parent) socket[kTimeout]?.refresh();
};

function checkDuration(msecs) {
  validateNumber(msecs, 'msecs');
  if (msecs < 0 || !Number.isFinite(msecs)) {
    throw new ERR_OUT_OF_RANGE('msecs', 'a non-negative finite number', msecs);
  }
  if (msecs <= kMostTimeout) return msecs;
  process.emitWarning(`${msecs} does not fit into a 32-bit signed integer.` +
    `\nTimer duration was truncated to ${kMostTimeout}.`, 'TimeoutOverflowWarning');
  return kMostTimeout;
}

Socket.prototype.setTimeout = function setStreamTimeout(msecs, callback) {
  if (this.destroyed) return this;
  this.timeout = msecs;
  msecs = checkDuration(msecs);
  clearTimeout(this[kTimeout]);
  if (msecs === 0) {
    this[kTimeout] = null;
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.removeListener('timeout', callback);
    }
    return this;
  }
  this[kTimeout] = setTimeout(() => this._onTimeout(), msecs).unref();
  if (callback !== undefined) {
    validateFunction(callback, 'callback');
    this.once('timeout', callback);
  }
  return this;
};

// ---- Properties ----

function getter(name, get, enumerable) {
  Object.defineProperty(Socket.prototype, name, {
    __proto__: null, get, enumerable, configurable: name === 'pending',
  });
}

getter('_connecting', function() { return this.connecting; }, false);
getter('pending', function() { return !this._handle || this.connecting; }, false);
getter('readyState', function() {
  if (this.connecting) return 'opening';
  if (this.readable && this.writable) return 'open';
  if (this.readable) return 'readOnly';
  return this.writable ? 'writeOnly' : 'closed';
}, false);
getter('bufferSize', function() {
  return this._handle ? this.writableLength : undefined;
}, false);
getter(kUpdateTimer, function() { return this._unrefTimer; }, false);

getter('bytesRead', function() {
  return this._handle ? this._handle.bytesRead : this[kBytesRead];
}, true);
getter('_bytesDispatched', function() {
  return this._handle ? this._handle.bytesWritten : this[kBytesWritten];
}, true);

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
}

// What has been written, and what waits to be.
getter('bytesWritten', function() {
  let bytes = this._bytesDispatched;
  const data = this._pendingData;
  const buffered = this.writableBuffer;
  if (!buffered) return undefined;
  for (const { chunk, encoding } of buffered) bytes += sizeOf(chunk, encoding);
  if (Array.isArray(data)) {
    for (const { chunk, encoding } of data) bytes += sizeOf(chunk, encoding);
  } else if (data) {
    bytes += sizeOf(data, this._pendingEncoding);
  }
  return bytes;
}, true);

// Without the iterator of arrays, which a program may have deleted before this is loaded.
function addressGetters(side, method) {
  const parts = ['Address', 'Family', 'Port'];
  for (let i = 0; i < parts.length; i++) {
    const key = parts[i].toLowerCase();
    getter(side + parts[i], function() { return this[method]()[key]; }, true);
  }
}

addressGetters('remote', '_getpeername');
addressGetters('local', '_getsockname');

Object.defineProperty(Socket.prototype, '_handle', {
  __proto__: null,
  get() { return this[kHandle]; },
  set(handle) { this[kHandle] = handle; },
  configurable: false,
  enumerable: false,
});

module.exports = {
  Socket,
  applyOptions,
  initSocketHandle,
  kBound,
  kReinitializeHandle,
  kSetKeepAlive,
  kSetKeepAliveInitialDelay,
  kSetNoDelay,
  kTimeout,
};
