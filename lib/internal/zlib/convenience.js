'use strict';
// The functions that compress or decompress a whole Buffer: gzip(), gzipSync() and so on.
//
// The synchronous ones need no stream, unless a program can see it: C++ does all of it in one call.

const { Buffer, kMaxLength } = require('buffer');
const { asyncState, newAsyncId } = require('internal/async_hooks');
const {
  codes: { ERR_BUFFER_TOO_LARGE, ERR_INVALID_ARG_TYPE, ERR_TRAILING_JUNK_AFTER_STREAM_END },
} = require('internal/errors');
const { OnceFailure } = require('internal/native/enums');
const { isAnyArrayBuffer, isArrayBufferView, isUint8Array } = require('internal/util/types');
const { validateFunction } = require('internal/validators');
const constants = require('internal/zlib/constants');
const { checkDictionary, commonOptions, familyOf, parametersOf, zlibOptions } = require('internal/zlib/options');
const { classes, processChunkSync } = require('internal/zlib/streams');

const native = binding('zlib');

// ---- With a callback --------------------------------------------------------------------------

function processBuffer(engine, buffer, callback) {
  validateFunction(callback, 'callback');
  // A stream takes no other bytes than those of a Uint8Array.
  if (isArrayBufferView(buffer) && !isUint8Array(buffer)) {
    buffer = Buffer.from(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  } else if (isAnyArrayBuffer(buffer)) {
    buffer = Buffer.from(buffer);
  }
  engine.buffers = null;
  engine.nread = 0;
  engine.cb = callback;
  engine.on('data', onData);
  engine.on('error', onError);
  engine.on('end', onEnd);
  engine.end(buffer);
}

function onData(chunk) {
  if (this.buffers === null) this.buffers = [chunk];
  else this.buffers.push(chunk);
  this.nread += chunk.length;
  if (this.nread > this._maxOutputLength) {
    this.close();
    this.removeAllListeners('end');
    this.cb(new ERR_BUFFER_TOO_LARGE(this._maxOutputLength));
  }
}

function onError(error) {
  this.removeAllListeners('end');
  this.cb(error);
}

function onEnd() {
  const buffers = this.buffers ?? [];
  const buffer = buffers.length === 1 ? buffers[0] : Buffer.concat(buffers, this.nread);
  this.close();
  this.cb(null, this._info ? { buffer, engine: this } : buffer);
}

// ---- In one call ------------------------------------------------------------------------------

function bytesOf(buffer) {
  if (isArrayBufferView(buffer)) return buffer;
  if (typeof buffer === 'string' || isAnyArrayBuffer(buffer)) return Buffer.from(buffer);
  throw new ERR_INVALID_ARG_TYPE(
    'buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], buffer);
}

function processBufferSync(engine, input) {
  const buffer = processChunkSync(engine, bytesOf(input), engine._finishFlushFlag);
  return engine._info ? { buffer, engine } : buffer;
}

// Options that are not the stream's. All others, `info` among them, need one.
const kOwnOptions = new Set([
  'chunkSize', 'dictionary', 'finishFlush', 'flush', 'level', 'maxOutputLength', 'memLevel', 'params',
  'pledgedSrcSize', 'rejectGarbageAfterEnd', 'strategy', 'windowBits',
]);
const kMostInOneCall = 2 ** 30; // of chunkSize: what does not fit into memory is an error of Buffer's

function needsStream(opts) {
  if (asyncState.observed) return true;
  if (!opts) return false;
  for (const name in opts) {
    if (!kOwnOptions.has(name)) return true;
  }
  return opts.chunkSize > kMostInOneCall;
}

const { tooLarge: kTooLarge, trailingGarbage: kTrailingGarbage } = OnceFailure;

// What C++ gives; undefined if a stream has to find out what is wrong: it cannot be set up, the bytes are not as many
// as they say, or they are damaged (which error comes first depends on how the output is cut into chunks).
const once = [
  function zlibOnce(mode, input, opts) {
    const { windowBits, level, memLevel, strategy, dictionary } = zlibOptions(opts, mode);
    const { finishFlush, chunkSize, maxOutputLength, rejectGarbageAfterEnd } = commonOptions(opts, mode);
    const bytes = bytesOf(input);
    return native.zlibOnce(mode, windowBits, level, memLevel, strategy, dictionary, bytes, bytes.byteLength,
                           finishFlush, chunkSize, maxOutputLength, rejectGarbageAfterEnd);
  },
  function brotliOnce(mode, input, opts) {
    const parameters = parametersOf(opts, mode);
    const dictionary = checkDictionary(opts?.dictionary);
    const { finishFlush, chunkSize, maxOutputLength, rejectGarbageAfterEnd } = commonOptions(opts, mode);
    const bytes = bytesOf(input);
    return native.brotliOnce(mode, parameters, dictionary, bytes, bytes.byteLength, finishFlush, chunkSize,
                             maxOutputLength, rejectGarbageAfterEnd);
  },
  function zstdOnce(mode, input, opts) {
    const parameters = parametersOf(opts, mode);
    const dictionary = checkDictionary(opts?.dictionary);
    const { finishFlush, chunkSize, maxOutputLength, rejectGarbageAfterEnd } = commonOptions(opts, mode);
    const bytes = bytesOf(input);
    return native.zstdOnce(mode, parameters, dictionary, opts?.pledgedSrcSize, bytes, bytes.byteLength, finishFlush,
                           chunkSize, maxOutputLength, rejectGarbageAfterEnd);
  },
];

function processOnce(Engine, mode, input, opts) {
  newAsyncId(); // the stream's, in Node
  let result;
  try {
    result = once[familyOf(mode)](mode, input, opts);
  } catch (error) {
    new Engine(opts); // of several wrong options, a stream of zstd complains of another one first
    throw error;
  }
  if (isUint8Array(result)) return result;
  if (result === kTooLarge) throw new ERR_BUFFER_TOO_LARGE(opts?.maxOutputLength ?? kMaxLength);
  if (result === kTrailingGarbage) throw new ERR_TRAILING_JUNK_AFTER_STREAM_END();
  return processBufferSync(new Engine(opts), input);
}

// ---- The functions ----------------------------------------------------------------------------

const modes = {
  Deflate: constants.DEFLATE,
  Inflate: constants.INFLATE,
  Gzip: constants.GZIP,
  Gunzip: constants.GUNZIP,
  DeflateRaw: constants.DEFLATERAW,
  InflateRaw: constants.INFLATERAW,
  Unzip: constants.UNZIP,
  BrotliCompress: constants.BROTLI_ENCODE,
  BrotliDecompress: constants.BROTLI_DECODE,
  ZstdCompress: constants.ZSTD_COMPRESS,
  ZstdDecompress: constants.ZSTD_DECOMPRESS,
};

function withCallback(name) {
  const Engine = classes[name];
  return function asyncBufferWrapper(buffer, opts, callback) {
    if (typeof opts === 'function') {
      callback = opts;
      opts = {};
    }
    return processBuffer(new Engine(opts), buffer, callback);
  };
}

function sync(name) {
  const Engine = classes[name];
  const mode = modes[name];
  return function syncBufferWrapper(buffer, opts) {
    if (needsStream(opts)) return processBufferSync(new Engine(opts), buffer);
    if (mode === constants.DEFLATERAW && opts && opts.windowBits === 8) opts.windowBits = 9;
    return processOnce(Engine, mode, buffer, opts);
  };
}

module.exports = { sync, withCallback };
