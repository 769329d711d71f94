'use strict';
// Compression: zlib, Brotli and Zstandard, as streams, with callbacks and in one call.

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { assignFunctionName } = require('internal/util');
const { isArrayBufferView } = require('internal/util/types');
const { validateUint32 } = require('internal/validators');
const constants = require('internal/zlib/constants');
const { sync, withCallback } = require('internal/zlib/convenience');
const { classes } = require('internal/zlib/streams');

const native = binding('zlib');
const { defineLazyProperties } = binding('util');

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !isArrayBufferView(data)) {
    throw new ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return native.crc32(data, value);
}

// The results of zlib's functions, both ways.
const codes = {};
for (const name of [
  'Z_OK', 'Z_STREAM_END', 'Z_NEED_DICT', 'Z_ERRNO', 'Z_STREAM_ERROR', 'Z_DATA_ERROR', 'Z_MEM_ERROR', 'Z_BUF_ERROR',
  'Z_VERSION_ERROR',
]) {
  codes[name] = constants[name];
}
for (const name of Object.keys(codes)) codes[codes[name]] = name;

module.exports = { crc32, ...classes };

for (const name of [
  'Deflate', 'Gzip', 'DeflateRaw', 'Unzip', 'Inflate', 'Gunzip', 'InflateRaw', 'BrotliCompress', 'BrotliDecompress',
  'ZstdCompress', 'ZstdDecompress',
]) {
  const key = name[0].toLowerCase() + name.slice(1);
  module.exports[key] = withCallback(name);
  module.exports[`${key}Sync`] = sync(name);
}

function define(name, descriptor) {
  Object.defineProperty(module.exports, name, { __proto__: null, ...descriptor });
}

for (const name of [
  'Deflate', 'Inflate', 'DeflateRaw', 'InflateRaw', 'Gzip', 'Gunzip', 'Unzip', 'BrotliCompress', 'BrotliDecompress',
  'ZstdCompress', 'ZstdDecompress',
]) {
  const Class = classes[name];
  const create = assignFunctionName(`create${name}`, function(options) {
    return new Class(options);
  });
  define(`create${name}`, { configurable: true, enumerable: true, value: create });
}
define('constants', { configurable: false, enumerable: true, value: constants });
define('codes', { enumerable: true, writable: false, value: Object.freeze(codes) });

// Few programs use archives: what they need is loaded when they do.
defineLazyProperties(module.exports, [
  'ZipEntry', 'ZipFile', 'ZipBuffer', 'createZipArchive', 'createZipArchiveSync', 'zipFiles', 'getMaxZipContentSize',
  'setMaxZipContentSize',
], 'internal/zlib/zip_archives', true, true);

// Where they were before there was `constants`.
for (const name of Object.keys(constants)) {
  if (!name.startsWith('BROTLI')) define(name, { enumerable: false, writable: false, value: constants[name] });
}
