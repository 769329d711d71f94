'use strict';
// The options of node:zlib: checked, in the order in which Node checks them, and completed.

const { Buffer, kMaxLength } = require('buffer');
const {
  codes: { ERR_BROTLI_INVALID_PARAM, ERR_INVALID_ARG_TYPE, ERR_OUT_OF_RANGE, ERR_ZSTD_INVALID_PARAM },
} = require('internal/errors');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { checkRangesOrGetDefault, validateBoolean, validateFiniteNumber } = require('internal/validators');
const constants = require('internal/zlib/constants');

const {
  BROTLI_DECODE, BROTLI_ENCODE, BROTLI_OPERATION_EMIT_METADATA, BROTLI_OPERATION_FINISH, BROTLI_OPERATION_FLUSH,
  BROTLI_OPERATION_PROCESS, GUNZIP, GZIP, INFLATE, UNZIP, ZSTD_COMPRESS, ZSTD_DECOMPRESS, ZSTD_e_continue, ZSTD_e_end,
  ZSTD_e_flush, Z_BLOCK, Z_DEFAULT_CHUNK, Z_DEFAULT_COMPRESSION, Z_DEFAULT_MEMLEVEL, Z_DEFAULT_STRATEGY,
  Z_DEFAULT_WINDOWBITS, Z_FINISH, Z_FIXED, Z_FULL_FLUSH, Z_MAX_LEVEL, Z_MAX_MEMLEVEL, Z_MAX_WINDOWBITS, Z_MIN_CHUNK,
  Z_MIN_LEVEL, Z_MIN_MEMLEVEL, Z_MIN_WINDOWBITS, Z_NO_FLUSH,
} = constants;

// For each library: the valid values of flush, and the defaults.
const families = [
  { first: Z_NO_FLUSH, last: Z_BLOCK, flush: Z_NO_FLUSH, finishFlush: Z_FINISH, fullFlush: Z_FULL_FLUSH },
  {
    first: BROTLI_OPERATION_PROCESS, last: BROTLI_OPERATION_EMIT_METADATA,
    flush: BROTLI_OPERATION_PROCESS, finishFlush: BROTLI_OPERATION_FINISH, fullFlush: BROTLI_OPERATION_FLUSH,
  },
  {
    first: ZSTD_e_continue, last: ZSTD_e_end,
    flush: ZSTD_e_continue, finishFlush: ZSTD_e_end, fullFlush: ZSTD_e_flush,
  },
];

// Its index in `families`.
function familyOf(mode) {
  if (mode === BROTLI_DECODE || mode === BROTLI_ENCODE) return 1;
  return mode === ZSTD_COMPRESS || mode === ZSTD_DECOMPRESS ? 2 : 0;
}

function checkFlush(value, name, family, fallback) {
  return checkRangesOrGetDefault(value, name, families[family].first, families[family].last, fallback);
}

// Those that all streams have.
function commonOptions(opts, mode) {
  const family = familyOf(mode);
  const { flush, finishFlush } = families[family];
  const result = {
    family,
    chunkSize: Z_DEFAULT_CHUNK,
    flush,
    finishFlush,
    maxOutputLength: kMaxLength,
    rejectGarbageAfterEnd: false,
  };
  if (!opts) return result;
  if (validateFiniteNumber(opts.chunkSize, 'options.chunkSize')) {
    result.chunkSize = opts.chunkSize;
    if (result.chunkSize < Z_MIN_CHUNK) {
      throw new ERR_OUT_OF_RANGE('options.chunkSize', `>= ${Z_MIN_CHUNK}`, result.chunkSize);
    }
  }
  result.flush = checkFlush(opts.flush, 'options.flush', family, flush);
  result.finishFlush = checkFlush(opts.finishFlush, 'options.finishFlush', family, finishFlush);
  result.maxOutputLength = checkRangesOrGetDefault(
    opts.maxOutputLength, 'options.maxOutputLength', 1, kMaxLength, kMaxLength);
  if (opts.rejectGarbageAfterEnd !== undefined) {
    validateBoolean(opts.rejectGarbageAfterEnd, 'options.rejectGarbageAfterEnd');
    result.rejectGarbageAfterEnd = opts.rejectGarbageAfterEnd;
  }
  return result;
}

function checkDictionary(dictionary) {
  if (dictionary === undefined || isArrayBufferView(dictionary)) return dictionary;
  if (isAnyArrayBuffer(dictionary)) return Buffer.from(dictionary);
  throw new ERR_INVALID_ARG_TYPE(
    'options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
}

const zlibDefaults = {
  windowBits: Z_DEFAULT_WINDOWBITS,
  level: Z_DEFAULT_COMPRESSION,
  memLevel: Z_DEFAULT_MEMLEVEL,
  strategy: Z_DEFAULT_STRATEGY,
  dictionary: undefined,
};

function checkWindowBits(value, mode) {
  // For decompression 0 means: as the header says.
  if ((value == null || value === 0) && (mode === INFLATE || mode === GUNZIP || mode === UNZIP)) return 0;
  // gzip has no windows of 256 bytes.
  const least = mode === GZIP ? Z_MIN_WINDOWBITS + 1 : Z_MIN_WINDOWBITS;
  return checkRangesOrGetDefault(value, 'options.windowBits', least, Z_MAX_WINDOWBITS, Z_DEFAULT_WINDOWBITS);
}

function zlibOptions(opts, mode) {
  if (!opts) return zlibDefaults;
  return {
    windowBits: checkWindowBits(opts.windowBits, mode),
    level: checkRangesOrGetDefault(opts.level, 'options.level', Z_MIN_LEVEL, Z_MAX_LEVEL, Z_DEFAULT_COMPRESSION),
    memLevel: checkRangesOrGetDefault(
      opts.memLevel, 'options.memLevel', Z_MIN_MEMLEVEL, Z_MAX_MEMLEVEL, Z_DEFAULT_MEMLEVEL),
    strategy: checkRangesOrGetDefault(
      opts.strategy, 'options.strategy', Z_DEFAULT_STRATEGY, Z_FIXED, Z_DEFAULT_STRATEGY),
    dictionary: checkDictionary(opts.dictionary),
  };
}

// ---- Parameters of Brotli and Zstandard -------------------------------------------------------

// An array for the values of the parameters with these names; C++ skips those that are -1.
function parameterArray(prefix) {
  let most = 0;
  for (const name of Object.keys(constants)) {
    if (name.startsWith(prefix) && constants[name] > most) most = constants[name];
  }
  return new Uint32Array(most + 1);
}

const parameterArrays = {
  __proto__: null,
  [BROTLI_DECODE]: parameterArray('BROTLI_PARAM_'),
  [BROTLI_ENCODE]: parameterArray('BROTLI_PARAM_'),
  [ZSTD_COMPRESS]: parameterArray('ZSTD_c_'),
  [ZSTD_DECOMPRESS]: parameterArray('ZSTD_d_'),
};

// The array is filled again by each call.
function parametersOf(opts, mode) {
  const values = parameterArrays[mode];
  values.fill(-1);
  const params = opts?.params;
  if (!params) return values;
  for (const name of Object.keys(params)) {
    const key = +name;
    // Two names may be the same key, as 1.0 and 1. A key that is not an index has no value.
    if (Number.isNaN(key) || key < 0 || key >= values.length || (values[key] | 0) !== -1) {
      throw familyOf(mode) === 1 ? new ERR_BROTLI_INVALID_PARAM(name) : new ERR_ZSTD_INVALID_PARAM(name);
    }
    const value = params[name];
    if (typeof value !== 'number' && typeof value !== 'boolean') {
      throw new ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
    }
    values[key] = value;
  }
  return values;
}

module.exports = {
  checkDictionary, checkFlush, commonOptions, families, familyOf, parametersOf, zlibDefaults, zlibOptions,
};
