'use strict';
// buffer.transcode(): from one encoding to another. A character that the other does not have
// becomes a question mark.

const { isUint8Array } = require('internal/util/types');
const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { normalizeEncoding } = require('internal/buffer/encodings');

// Numbers of the library that Node does this with.
const U_ILLEGAL_ARGUMENT_ERROR = 1;
const U_INVALID_CHAR_FOUND = 10;

function transcodeError(code, errno) {
  const error = new Error(`Unable to transcode Buffer [${code}]`);
  error.code = code;
  error.errno = errno;
  return error;
}

const supported = ['ascii', 'latin1', 'utf16le', 'utf8'];
// Characters without a shape of their own: what does not have them leaves them out.
const ignorable = /^\p{Default_Ignorable_Code_Point}$/u;

function invalidCharacter() {
  return transcodeError('U_INVALID_CHAR_FOUND', U_INVALID_CHAR_FOUND);
}

function isSurrogate(character) {
  const code = character.codePointAt(0);
  return code >= 0xd800 && code <= 0xdfff;
}

function hasLoneSurrogate(text) {
  for (const character of text) {
    if (isSurrogate(character)) return true;
  }
  return false;
}

function toNarrow(text, limit, Buffer) {
  let narrow = '';
  for (const character of text) {
    if (character.codePointAt(0) < limit) narrow += character;
    else if (!ignorable.test(character)) narrow += '?';
  }
  return Buffer.from(narrow, 'latin1');
}

function decode(source, from, to) {
  switch (from) {
    // Bytes that are not ASCII pass only where the result has the width to keep them as they are.
    case 'ascii': {
      const text = source.latin1Slice();
      return to === 'utf16le' ? text : text.replace(/[\x80-\xff]/g, '\ufffd');
    }
    case 'latin1': return source.latin1Slice();
    case 'utf16le': return source.ucs2Slice();
    default: return source.utf8Slice();
  }
}

// From UTF-16 to itself nothing changes but what is wrong.
function repairUtf16(text, isOdd) {
  let repaired = '';
  for (const character of text) repaired += isSurrogate(character) ? '\ufffd' : character;
  return isOdd ? `${repaired}\ufffd` : repaired;
}

function transcode(source, fromEncoding, toEncoding) {
  if (!isUint8Array(source)) {
    throw new ERR_INVALID_ARG_TYPE('source', ['Buffer', 'Uint8Array'], source);
  }
  const { Buffer, isUtf8 } = require('buffer');
  if (source.length === 0) return Buffer.alloc(0);
  const from = normalizeEncoding(fromEncoding);
  const to = normalizeEncoding(toEncoding);
  if (!supported.includes(from) || !supported.includes(to)) {
    throw transcodeError('U_ILLEGAL_ARGUMENT_ERROR', U_ILLEGAL_ARGUMENT_ERROR);
  }
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const text = decode(bytes, from, to);
  switch (to) {
    case 'ascii': return toNarrow(text, 0x80, Buffer);
    case 'latin1': return toNarrow(text, 0x100, Buffer);
    case 'utf16le':
      // Between the Unicode encodings what is wrong is an error.
      if (from === 'utf8' && !isUtf8(bytes)) throw invalidCharacter();
      return Buffer.from(from === 'utf16le' ? repairUtf16(text, bytes.length % 2 === 1) : text,
        'utf16le');
    default:
      if (from === 'utf16le' && (text === '' || hasLoneSurrogate(text))) throw invalidCharacter();
      return Buffer.from(text, 'utf8');
  }
}

module.exports = { transcode };
