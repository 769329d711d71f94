'use strict';
// Percent-encoding as the URL Standard has it: the encode sets, encoding from UTF-16 and decoding to it.

// Each set is one bit of the table; code points above ASCII belong to all of them.
const C0_CONTROL = 1;
const FRAGMENT = 2;
const QUERY = 4;
const SPECIAL_QUERY = 8;
const PATH = 16;
const USERINFO = 32;
const FORM = 64;

const encodeSets = new Uint8Array(128);

function add(characters, sets) {
  for (let i = 0; i < characters.length; i++) encodeSets[characters.charCodeAt(i)] |= sets;
}

const ALL_BUT_FORM = C0_CONTROL | FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO;
for (let code = 0; code < 128; code++) {
  if (code < 0x20 || code === 0x7f) encodeSets[code] = ALL_BUT_FORM;
  if (!/[A-Za-z0-9*\-._]/.test(String.fromCharCode(code))) encodeSets[code] |= FORM;
}
add(' "<>', FRAGMENT | QUERY | SPECIAL_QUERY | PATH | USERINFO);
add('#', QUERY | SPECIAL_QUERY | PATH | USERINFO);
add("'", SPECIAL_QUERY);
add('`', FRAGMENT | PATH | USERINFO);
add('?^{}', PATH | USERINFO);
add('/:;=@[\\]|', USERINFO);

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

// Encodes text[start, end) by a set. Text that needs nothing, the usual case, is only sliced.
function percentEncode(text, set, start = 0, end = text.length) {
  let done = start;
  let out = '';
  for (let i = start; i < end; i++) {
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
  if (done === start) return start === 0 && end === text.length ? text : text.slice(start, end);
  return done < end ? out + text.slice(done, end) : out;
}

// Whether the path text[start, end) can be taken as it is: nothing to encode, no backslash, no segment that
// begins like one of dots.
function isPlainPath(text, start, end) {
  let segmentStart = true;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code >= 128 || (encodeSets[code] & PATH) !== 0 || code === 0x5c) return false;
    if (segmentStart && (code === 0x2e || code === 0x25)) return false;
    segmentStart = code === 0x2f;
  }
  return true;
}

function hexValue(code) {
  if (code >= 48 && code <= 57) return code - 48;
  code |= 0x20;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

// UTF-8 to a string, every maximal ill-formed part as one U+FFFD; a byte order mark stays.
function utf8Decode(bytes, length) {
  let out = '';
  let i = 0;
  while (i < length) {
    const lead = bytes[i++];
    if (lead < 0x80) {
      out += String.fromCharCode(lead);
      continue;
    }
    let missing = 0;
    let code = 0;
    let low = 0x80;
    let high = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
      missing = 1;
      code = lead & 0x1f;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      missing = 2;
      code = lead & 0xf;
      if (lead === 0xe0) low = 0xa0;
      if (lead === 0xed) high = 0x9f;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      missing = 3;
      code = lead & 7;
      if (lead === 0xf0) low = 0x90;
      if (lead === 0xf4) high = 0x8f;
    } else {
      out += '\ufffd';
      continue;
    }
    while (missing > 0 && i < length && bytes[i] >= low && bytes[i] <= high) {
      code = code << 6 | bytes[i++] & 0x3f;
      low = 0x80;
      high = 0xbf;
      missing--;
    }
    out += missing > 0 ? '\ufffd' : String.fromCodePoint(code);
  }
  return out;
}

function decodeLeniently(text) {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    let code = text.charCodeAt(i);
    if (code === 0x25 && i + 2 < text.length) {
      const high = hexValue(text.charCodeAt(i + 1));
      const low = hexValue(text.charCodeAt(i + 2));
      if (high >= 0 && low >= 0) {
        bytes[length++] = high << 4 | low;
        i += 2;
        continue;
      }
    }
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    code = text.codePointAt(i);
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x800) {
      bytes[length++] = 0xc0 | code >> 6;
    } else {
      if (code < 0x10000) {
        bytes[length++] = 0xe0 | code >> 12;
      } else {
        i++;
        bytes[length++] = 0xf0 | code >> 18;
        bytes[length++] = 0x80 | code >> 12 & 0x3f;
      }
      bytes[length++] = 0x80 | code >> 6 & 0x3f;
    }
    bytes[length++] = 0x80 | code & 0x3f;
  }
  return utf8Decode(bytes, length);
}

// "Percent-decode, then UTF-8 decode without BOM", of a well-formed string.
function percentDecode(text) {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return decodeLeniently(text); // a stray '%' or bytes that are not UTF-8
  }
}

const surrogate = /[\ud800-\udfff]/;
const loneSurrogates = /\p{Surrogate}/gu;

// WebIDL's USVString.
function toUSVString(value) {
  const text = `${value}`;
  return surrogate.test(text) ? text.replace(loneSurrogates, '\ufffd') : text;
}

module.exports = {
  C0_CONTROL,
  FRAGMENT,
  QUERY,
  SPECIAL_QUERY,
  PATH,
  USERINFO,
  FORM,
  escapes,
  hexValue,
  isPlainPath,
  percentDecode,
  percentEncode,
  toUSVString,
};
