'use strict';
// The streams of node:zlib. A stream has a handle in C++ (src/runtime/compression/compression_handle.h), which does one step at a
// time: it takes input until that is used up or the output buffer is full.
//
// The names of the properties are Node's. Packages use them: they call _processChunk() and change _handle.

const { Buffer } = require('buffer');
const assert = require('internal/assert');
const {
  async_id_symbol, destroyWhenCollected, emitAfter, emitBefore, hasHooks, initResource, trigger_async_id_symbol,
} = require('internal/async_hooks');
const {
  codes: { ERR_BUFFER_TOO_LARGE, ERR_TRAILING_JUNK_AFTER_STREAM_END },
  genericNodeError,
} = require('internal/errors');
const { deprecateInstantiation } = require('internal/util/deprecate');
const { checkRangesOrGetDefault } = require('internal/validators');
const constants = require('internal/zlib/constants');
const {
  checkDictionary, checkFlush, commonOptions, families, parametersOf, zlibOptions,
} = require('internal/zlib/options');
const { Transform, finished } = require('stream');

const native = binding('zlib');

const {
  BROTLI_DECODE, BROTLI_ENCODE, DEFLATE, DEFLATERAW, GUNZIP, GZIP, INFLATE, INFLATERAW, UNZIP, ZSTD_COMPRESS,
  ZSTD_DECOMPRESS, Z_BLOCK, Z_DEFAULT_STRATEGY, Z_FINISH, Z_FIXED, Z_FULL_FLUSH, Z_MAX_LEVEL, Z_MIN_LEVEL, Z_NO_FLUSH,
  Z_PARTIAL_FLUSH, Z_SYNC_FLUSH,
} = constants;

const kError = Symbol('kError');
const kFlushFlag = Symbol('kFlushFlag');
const kParams = Symbol('kParams'); // of a chunk of params(): what is called when it is through
const kOwner = Symbol('owner_symbol');

// ---- The handle -------------------------------------------------------------------------------

function newHandle(Handle, mode) {
  const handle = initResource(new Handle(mode), 'ZLIB');
  if (hasHooks('destroy')) destroyWhenCollected(handle, handle[async_id_symbol]);
  return handle;
}

function errorOf(message, errno, code) {
  if (code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') return new ERR_TRAILING_JUNK_AFTER_STREAM_END();
  return genericNodeError(message, { errno, code });
}

// C++ calls this instead of onStepDone(). A stream cannot continue after it.
function onStepFailed(message, errno, code) {
  const asyncId = this[async_id_symbol];
  emitBefore(asyncId, this[trigger_async_id_symbol], this);
  const stream = this[kOwner];
  const error = errorOf(message, errno, code);
  stream.destroy(error);
  stream[kError] = error;
  emitAfter(asyncId);
}

function onStepDone() {
  const asyncId = this[async_id_symbol];
  emitBefore(asyncId, this[trigger_async_id_symbol], this);
  stepDone(this, this[kOwner]);
  emitAfter(asyncId);
}

function beginStep(handle, stream) {
  handle.write(handle.flushFlag, handle.buffer, handle.inOff, handle.availInBefore,
               stream._outBuffer, stream._outOffset, handle.availOutBefore);
}

function beginChunk(stream, chunk, flushFlag, callback) {
  const handle = stream._handle;
  if (!handle) {
    process.nextTick(callback);
    return;
  }
  handle.buffer = chunk;
  handle.cb = callback;
  handle.availOutBefore = stream._chunkSize - stream._outOffset;
  handle.availInBefore = chunk.byteLength;
  handle.inOff = 0;
  handle.flushFlag = flushFlag;
  beginStep(handle, stream);
}

// The handle may live much longer than the chunk.
function endChunk(handle) {
  handle.buffer = null;
  handle.cb();
}

function stepDone(handle, stream) {
  if (stream.destroyed) {
    endChunk(handle);
    return;
  }
  const { 0: outLeft, 1: inLeft } = stream._writeState;
  const taken = handle.availInBefore - inLeft;
  stream.bytesWritten += taken;

  const made = handle.availOutBefore - outLeft;
  let readerIsFull = false;
  if (made > 0) {
    const out = stream._outBuffer.slice(stream._outOffset, stream._outOffset + made);
    stream._outOffset += made;
    readerIsFull = !stream.push(out);
  }
  if (stream.destroyed) {
    handle.cb();
    return;
  }
  if (outLeft === 0 || stream._outOffset >= stream._chunkSize) {
    handle.availOutBefore = stream._chunkSize;
    stream._outOffset = 0;
    stream._outBuffer = Buffer.allocUnsafe(stream._chunkSize);
  }
  if (outLeft === 0) {
    // There may be more. While the reader has enough, it waits for _read().
    handle.inOff += taken;
    handle.availInBefore = inLeft;
    if (readerIsFull) handle.isStalled = true;
    else beginStep(handle, stream);
    return;
  }
  if (inLeft > 0) {
    // The compressed data has ended, and the input has not.
    if (stream._rejectGarbageAfterEnd) {
      const error = new ERR_TRAILING_JUNK_AFTER_STREAM_END();
      stream.destroy(error);
      handle.cb(error);
      return;
    }
    stream.push(null);
  }
  endChunk(handle);
}

// All steps for a chunk at once, and the end of the stream.
function processChunkSync(stream, chunk, flushFlag) {
  const { _chunkSize: chunkSize, _handle: handle, _writeState: state } = stream;
  let buffer = stream._outBuffer;
  let outOffset = stream._outOffset;
  let outBefore = chunkSize - outOffset;
  let inOffset = 0;
  let inLeft = chunk.byteLength;
  const buffers = [];
  let total = 0;

  let error;
  stream.on('error', (reason) => { error = reason; });

  for (;;) {
    handle.writeSync(flushFlag, chunk, inOffset, inLeft, buffer, outOffset, outBefore);
    if (error) throw error;
    if (stream[kError]) throw stream[kError];
    const outLeft = state[0];
    inOffset += inLeft - state[1];
    inLeft = state[1];
    const made = outBefore - outLeft;
    if (made > 0) {
      buffers.push(buffer.slice(outOffset, outOffset + made));
      outOffset += made;
      total += made;
      if (total > stream._maxOutputLength) {
        closeHandle(stream);
        throw new ERR_BUFFER_TOO_LARGE(stream._maxOutputLength);
      }
    }
    if (outLeft !== 0) break;
    outBefore = chunkSize;
    outOffset = 0;
    buffer = Buffer.allocUnsafe(chunkSize);
  }

  if (inLeft > 0 && stream._rejectGarbageAfterEnd) {
    closeHandle(stream);
    throw new ERR_TRAILING_JUNK_AFTER_STREAM_END();
  }
  stream.bytesWritten = inOffset;
  closeHandle(stream);
  return buffers.length === 1 ? buffers[0] : Buffer.concat(buffers, total);
}

function closeHandle(stream) {
  stream._handle?.close();
  stream._handle = null;
}

// ---- What all streams have --------------------------------------------------------------------

function ZlibBase(opts, mode, handle) {
  const { family, chunkSize, flush, finishFlush, maxOutputLength, rejectGarbageAfterEnd } = commonOptions(opts, mode);
  // Bytes in, bytes out.
  if (opts && (opts.encoding || opts.objectMode || opts.writableObjectMode)) {
    opts = { ...opts, encoding: null, objectMode: false, writableObjectMode: false };
  }
  Reflect.apply(Transform, this, [{ autoDestroy: true, ...opts }]);
  this[kError] = null;
  this.bytesWritten = 0;
  this._handle = handle;
  handle[kOwner] = this;
  handle.onerror = onStepFailed;
  this._outBuffer = Buffer.allocUnsafe(chunkSize);
  this._outOffset = 0;
  this._chunkSize = chunkSize;
  this._defaultFlushFlag = flush;
  this._finishFlushFlag = finishFlush;
  this._defaultFullFlushFlag = families[family].fullFlush;
  this._flushBoundIdx = family;
  this._info = opts?.info;
  this._maxOutputLength = maxOutputLength;
  this._rejectGarbageAfterEnd = rejectGarbageAfterEnd;
}
inherit(ZlibBase, Transform);

function inherit(Class, Base) {
  Object.setPrototypeOf(Class.prototype, Base.prototype);
  Object.setPrototypeOf(Class, Base);
}

Object.defineProperty(ZlibBase.prototype, '_closed', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() { return !this._handle; },
});

ZlibBase.prototype.reset = function() {
  assert(this._handle, 'zlib binding closed');
  return this._handle.reset();
};

// From the weakest to the strongest, which is not the order of the numbers.
const flushFlags = [Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH];

function strongerFlush(a, b) {
  // A value that is not an integer counts as the default.
  return flushFlags.includes(b) && flushFlags.indexOf(a) > flushFlags.indexOf(b) ? a : b;
}

// flush() writes one of these empty chunks: it is queued among the chunks of data.
const flushChunks = [];
for (const flag of flushFlags) {
  flushChunks[flag] = Buffer.from(new ArrayBuffer(0));
  flushChunks[flag][kFlushFlag] = flag;
}

ZlibBase.prototype.flush = function(kind, callback) {
  if (typeof kind === 'function' || (kind === undefined && !callback)) {
    callback = kind;
    kind = this._defaultFullFlushFlag;
  }
  kind = checkFlush(kind, 'kind', this._flushBoundIdx, this._defaultFullFlushFlag);
  if (this.writableFinished) {
    if (callback) process.nextTick(callback);
  } else if (this.writableEnded) {
    if (callback) this.once('end', callback);
  } else {
    this.write(flushChunks[kind], '', callback);
  }
};

ZlibBase.prototype.close = function(callback) {
  if (callback) finished(this, callback);
  this.destroy();
};

ZlibBase.prototype._destroy = function(error, callback) {
  closeHandle(this);
  callback(error);
};

ZlibBase.prototype._transform = function(chunk, encoding, callback) {
  let flushFlag = this._defaultFlushFlag;
  if (typeof chunk[kFlushFlag] === 'number') flushFlag = chunk[kFlushFlag];
  const isLast = this.writableEnded && this.writableLength === chunk.byteLength;
  if (isLast) flushFlag = strongerFlush(flushFlag, this._finishFlushFlag);
  const change = chunk[kParams];
  beginChunk(this, chunk, flushFlag, change === undefined ? callback : (error) => {
    if (!error) change(isLast);
    callback(error);
  });
};

ZlibBase.prototype._flush = function(callback) {
  this._transform(Buffer.alloc(0), '', callback);
};

// 'finish' comes before the last chunk is through, as with streams of old.
ZlibBase.prototype._final = function(callback) {
  callback();
};

ZlibBase.prototype._read = function(size) {
  const handle = this._handle;
  if (handle?.isStalled) {
    handle.isStalled = false;
    beginStep(handle, this);
  }
  Reflect.apply(Transform.prototype._read, this, [size]);
};

ZlibBase.prototype._processChunk = function(chunk, flushFlag, callback) {
  if (typeof callback !== 'function') return processChunkSync(this, chunk, flushFlag);
  beginChunk(this, chunk, flushFlag, callback);
};

// ---- zlib -------------------------------------------------------------------------------------

function Zlib(opts, mode) {
  const { windowBits, level, memLevel, strategy, dictionary } = zlibOptions(opts, mode);
  const handle = newHandle(native.Zlib, mode);
  this._writeState = new Uint32Array(2);
  handle.init(windowBits, level, memLevel, strategy, this._writeState, onStepDone, dictionary,
              opts?.rejectGarbageAfterEnd === true);
  Reflect.apply(ZlibBase, this, [opts, mode, handle]);
  this._level = level;
  this._strategy = strategy;
  this._mode = mode;
}
inherit(Zlib, ZlibBase);

// flush(Z_SYNC_FLUSH, callback) of a chunk that calls `apply` when it has been flushed.
function flushBefore(stream, apply, callback) {
  if (stream.writableFinished || stream.writableEnded) {
    stream.flush(Z_SYNC_FLUSH, callback);
    return;
  }
  const chunk = Buffer.alloc(0);
  chunk[kFlushFlag] = Z_SYNC_FLUSH;
  chunk[kParams] = apply;
  stream.write(chunk, '', callback);
}

Zlib.prototype.params = function params(level, strategy, callback) {
  checkRangesOrGetDefault(level, 'level', Z_MIN_LEVEL, Z_MAX_LEVEL);
  checkRangesOrGetDefault(strategy, 'strategy', Z_DEFAULT_STRATEGY, Z_FIXED);
  if (this._level === level && this._strategy === strategy) {
    process.nextTick(callback);
    return;
  }
  // What was written so far keeps its level. zlib gets the new one after that and before the next chunk: in the
  // middle of one, what it has not given out yet would be lost. (In Node the next chunk may have begun.)
  let isApplied = false;
  const apply = (isLast) => {
    if (this._handle && !isLast) this._handle.params(level, strategy);
    isApplied = true;
  };
  flushBefore(this, apply, () => {
    assert(this._handle, 'zlib binding closed');
    if (!isApplied) apply(false);
    if (this.destroyed) return;
    this._level = level;
    this._strategy = strategy;
    if (callback) callback();
  });
};

// A constructor that may be called without `new`, with a warning.
function zlibClass(name, mode) {
  const Class = {
    [name]: function(opts) {
      // zlib cannot do it, and raw streams do not say how large their window is.
      if (mode === DEFLATERAW && opts && opts.windowBits === 8) opts.windowBits = 9;
      if (!(this instanceof Class)) return deprecateInstantiation(Class, 'DEP0184', opts);
      Reflect.apply(Zlib, this, [opts, mode]);
    },
  }[name];
  inherit(Class, Zlib);
  return Class;
}

// ---- Brotli -----------------------------------------------------------------------------------

function Brotli(opts, mode) {
  const parameters = parametersOf(opts, mode);
  const dictionary = checkDictionary(opts?.dictionary);
  const handle = newHandle(mode === BROTLI_DECODE ? native.BrotliDecoder : native.BrotliEncoder, mode);
  this._writeState = new Uint32Array(2);
  handle.init(parameters, this._writeState, onStepDone, dictionary);
  Reflect.apply(ZlibBase, this, [opts, mode, handle]);
}
inherit(Brotli, Zlib);

function brotliClass(name, mode) {
  const Class = {
    [name]: function(opts) {
      if (!(this instanceof Class)) return deprecateInstantiation(Class, 'DEP0184', opts);
      Reflect.apply(Brotli, this, [opts, mode]);
    },
  }[name];
  inherit(Class, Brotli);
  return Class;
}

// ---- Zstandard --------------------------------------------------------------------------------

class Zstd extends ZlibBase {
  constructor(opts, mode) {
    const parameters = parametersOf(opts, mode);
    const dictionary = checkDictionary(opts?.dictionary);
    const handle = newHandle(mode === ZSTD_COMPRESS ? native.ZstdCompress : native.ZstdDecompress, mode);
    const writeState = new Uint32Array(2);
    handle.init(parameters, opts?.pledgedSrcSize, writeState, onStepDone, dictionary,
                opts?.rejectGarbageAfterEnd === true);
    super(opts, mode, handle);
    this._writeState = writeState;
  }
}

class ZstdCompress extends Zstd {
  constructor(opts) {
    super(opts, ZSTD_COMPRESS);
  }
}

class ZstdDecompress extends Zstd {
  constructor(opts) {
    super(opts, ZSTD_DECOMPRESS);
  }
}

// Under this name old packages look for the stream of a handle.
Object.defineProperty(native.Zlib.prototype, 'jsref', {
  __proto__: null,
  get() { return this[kOwner]; },
  set(value) { this[kOwner] = value; },
});

module.exports = {
  processChunkSync,
  classes: {
    Deflate: zlibClass('Deflate', DEFLATE),
    Inflate: zlibClass('Inflate', INFLATE),
    Gzip: zlibClass('Gzip', GZIP),
    Gunzip: zlibClass('Gunzip', GUNZIP),
    DeflateRaw: zlibClass('DeflateRaw', DEFLATERAW),
    InflateRaw: zlibClass('InflateRaw', INFLATERAW),
    Unzip: zlibClass('Unzip', UNZIP),
    BrotliCompress: brotliClass('BrotliCompress', BROTLI_ENCODE),
    BrotliDecompress: brotliClass('BrotliDecompress', BROTLI_DECODE),
    ZstdCompress,
    ZstdDecompress,
  },
};
