'use strict';
// The encodings between bytes and strings. What does the work is in C++; here are their names and
// how many bytes a string takes.

const {
  asciiSlice, asciiWrite, asciiWriteInto, base64Slice, base64Write, base64WriteInto, base64urlSlice, base64urlWrite,
  base64urlWriteInto, byteLengthUtf8, hexSlice, hexWrite, hexWriteInto, latin1Slice, latin1Write, latin1WriteInto, ucs2Slice,
  ucs2Write, ucs2WriteInto, utf8Slice, utf8Write, utf8WriteInto,
} = binding('buffer');

function base64ByteLength(string) {
  let characters = string.length;
  if (characters > 0 && string.charCodeAt(characters - 1) === 0x3d) characters--;
  if (characters > 1 && string.charCodeAt(characters - 1) === 0x3d) characters--;
  return Math.floor(characters * 3 / 4);
}

// - name: what C++ and others know the encoding as
// - byteLength: how many bytes a string takes, or more where only decoding would show it
// - most: how many bytes a character takes at most
// - slice, write: methods of Buffer, to be called on one
// - writeInto(ArrayBuffer, string, offset, limit): how many bytes that were
function define(name, most, byteLength, slice, write, writeInto) {
  return {
    name,
    most,
    byteLength,
    slice: (buffer, start, end) => slice.call(buffer, start, end),
    write: (buffer, string, offset, length) => write.call(buffer, string, offset, length),
    writeInto,
  };
}

const utf8 = define('utf8', 3, byteLengthUtf8, utf8Slice, utf8Write, utf8WriteInto);
const utf16le = define('utf16le', 2, (string) => string.length * 2, ucs2Slice, ucs2Write, ucs2WriteInto);
const latin1 = define('latin1', 1, (string) => string.length, latin1Slice, latin1Write, latin1WriteInto);
const ascii = define('ascii', 1, (string) => string.length, asciiSlice, asciiWrite, asciiWriteInto);
const base64 = define('base64', 1, base64ByteLength, base64Slice, base64Write, base64WriteInto);
const base64url = define('base64url', 1, base64ByteLength, base64urlSlice, base64urlWrite, base64urlWriteInto);
const hex = define('hex', 1, (string) => string.length >>> 1, hexSlice, hexWrite, hexWriteInto);

function findExact(name) {
  switch (name) {
    case 'utf8': case 'utf-8': return utf8;
    case 'utf16le': case 'utf-16le': case 'ucs2': case 'ucs-2': return utf16le;
    case 'latin1': case 'binary': return latin1;
    case 'ascii': return ascii;
    case 'base64': return base64;
    case 'base64url': return base64url;
    case 'hex': return hex;
    default: return undefined;
  }
}

// Undefined for an unknown encoding. Case does not matter.
function findEncoding(name) {
  const encoding = findExact(name);
  if (encoding !== undefined) return encoding;
  return findExact(`${name}`.toLowerCase());
}

// The encoding's own name; utf8 if none is given.
function normalizeEncoding(name) {
  if (name === undefined || name === null || name === '') return 'utf8';
  return typeof name === 'string' ? findEncoding(name)?.name : undefined;
}

module.exports = { findEncoding, normalizeEncoding, utf8 };
