'use strict';
// Percent-encoding as the URL Standard has it.

const { codes } = require('internal/errors');

// Each set is one bit of the table; code points above ASCII belong to all of them.
const C0_CONTROL = 1;
const FORM = 2;

const encodeSets = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (code < 0x20 || code === 0x7f) encodeSets[code] |= C0_CONTROL;
  if (!/[A-Za-z0-9*\-._]/.test(String.fromCharCode(code))) encodeSets[code] |= FORM;
}

const escapes = new Array(256);
for (let byte = 0; byte < 256; byte++) {
  escapes[byte] = '%' + (byte < 16 ? '0' : '') + byte.toString(16).toUpperCase();
}

// The escapes of one code point in UTF-8; a lone surrogate counts as U+FFFD.
function escapeCodePoint(code) {
  if (code < 0x80) return escapes[code];
  if (code < 0x800) return escapes[0xc0 | code >> 6] + escapes[0x80 | code & 0x3f];
  if (code >= 0xd800 && code <= 0xdfff) return '%EF%BF%BD';
  if (code < 0x10000) {
    return escapes[0xe0 | code >> 12] + escapes[0x80 | code >> 6 & 0x3f] + escapes[0x80 | code & 0x3f];
  }
  return escapes[0xf0 | code >> 18] + escapes[0x80 | code >> 12 & 0x3f] +
    escapes[0x80 | code >> 6 & 0x3f] + escapes[0x80 | code & 0x3f];
}

// Encodes by a set. Text that needs nothing is the usual case.
function percentEncode(text, set) {
  const end = text.length;
  let done = 0;
  let out = '';
  for (let i = 0; i < end; i++) {
    let code = text.charCodeAt(i);
    if (code < 128 && (encodeSets[code] & set) === 0) continue;
    if (done < i) out += text.slice(done, i);
    if (code >= 0xd800 && code <= 0xdbff && i + 1 < end) {
      code = text.codePointAt(i);
      if (code > 0xffff) i++;
    }
    out += set === FORM && code === 0x20 ? '+' : escapeCodePoint(code);
    done = i + 1;
  }
  if (done === 0) return text;
  return done < end ? out + text.slice(done, end) : out;
}

// encodeURIComponent() for text with lone surrogates, where that would throw:
// any surrogate with a character after it counts as a pair. At the very end it is an error.
function escapeWithSurrogates(str) {
  let out = '';
  for (let i = 0; i < str.length; i++) {
    const code = str.charCodeAt(i);
    if (code < 0xd800 || code >= 0xe000) {
      out += encodeURIComponent(str[i]);
      continue;
    }
    if (++i === str.length) throw new codes.ERR_INVALID_URI();
    const point = 0x10000 + ((code & 0x3ff) << 10 | str.charCodeAt(i) & 0x3ff);
    out += escapes[0xf0 | point >> 18] + escapes[0x80 | point >> 12 & 0x3f] +
      escapes[0x80 | point >> 6 & 0x3f] + escapes[0x80 | point & 0x3f];
  }
  return out;
}

function hexValue(code) {
  if (code >= 48 && code <= 57) return code - 48;
  code |= 0x20;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

const surrogate = /[\ud800-\udfff]/;
const loneSurrogates = /\p{Surrogate}/gu;

// WebIDL's USVString.
function toUSVString(value) {
  const text = `${value}`;
  return surrogate.test(text) ? text.replace(loneSurrogates, '\ufffd') : text;
}

module.exports = { C0_CONTROL, FORM, escapes, escapeWithSurrogates, hexValue, percentEncode, toUSVString };
