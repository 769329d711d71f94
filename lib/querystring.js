'use strict';
// Query strings as Node has them: forgiving, and older than URLSearchParams.

const { escapeWithSurrogates, hexValue } = require('internal/url/percent');

const PERCENT = 0x25;
const PLUS = 0x2b;

// The bytes of a string whose escapes may be malformed. Characters above U+00FF lose their upper byte.
function unescapeBuffer(s, decodeSpaces) {
  const out = Buffer.allocUnsafe(s.length);
  let length = 0;
  let decoded = false;
  for (let i = 0; i < s.length; i++) {
    let code = s.charCodeAt(i);
    if (code === PLUS && decodeSpaces) {
      code = 0x20;
    } else if (code === PERCENT && i + 2 < s.length) {
      const high = hexValue(s.charCodeAt(i + 1));
      const low = hexValue(s.charCodeAt(i + 2));
      if (high >= 0 && low >= 0) {
        code = high << 4 | low;
        i += 2;
        decoded = true;
      }
    }
    out[length++] = code;
  }
  return decoded ? out.slice(0, length) : out;
}

function qsUnescape(s, decodeSpaces) {
  try {
    return decodeURIComponent(s);
  } catch {
    return QueryString.unescapeBuffer(s, decodeSpaces).toString();
  }
}

function qsEscape(str) {
  if (typeof str !== 'string') {
    if (typeof str === 'object') str = String(str);
    else str += '';
  }
  if (isPlain(str)) return str;
  try {
    return encodeURIComponent(str);
  } catch {
    return escapeWithSurrogates(str);
  }
}

const plain = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (/[A-Za-z0-9\-_.!~*'()]/.test(String.fromCharCode(code))) plain[code] = 1;
}

// Whether nothing needs an escape; most names and many values are so.
function isPlain(str) {
  for (let i = 0; i < str.length; i++) {
    const code = str.charCodeAt(i);
    if (code >= 128 || plain[code] === 0) return false;
  }
  return true;
}

function primitiveToString(value) {
  switch (typeof value) {
    case 'string': return value;
    case 'number': return Number.isFinite(value) ? `${value}` : '';
    case 'bigint': return `${value}`;
    case 'boolean': return value ? 'true' : 'false';
    default: return '';
  }
}

function stringify(obj, sep, eq, options) {
  sep ||= '&';
  eq ||= '=';
  let encode = QueryString.escape;
  if (options && typeof options.encodeURIComponent === 'function') encode = options.encodeURIComponent;
  if (obj === null || typeof obj !== 'object') return '';

  const needsNone = encode === qsEscape; // then what is plain may be used as it is
  let out = '';
  for (const key of Object.keys(obj)) {
    const value = obj[key];
    const start = encodePart(key, encode, needsNone) + eq;
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) {
        if (out !== '') out += sep;
        out += start + encodePart(value[i], encode, needsNone);
      }
    } else {
      if (out !== '') out += sep;
      out += start + encodePart(value, encode, needsNone);
    }
  }
  return out;
}

function encodePart(value, encode, needsNone) {
  const text = primitiveToString(value);
  if (needsNone && (text.length === 0 || typeof value === 'boolean')) return text;
  return encode(text);
}

const escaped = /%[0-9a-fA-F]{2}/;
const escapedTwice = /%[0-9a-fA-F]{2}[^]*%[0-9a-fA-F]{2}/;

// A part without a single whole escape is left as it is; a value only if its key does not have two of them,
// which is how it is in Node.
function decodePart(part, key, decode, custom) {
  if (custom ? part.length === 0 : !part.includes('%')) return part;
  if (!custom) {
    try {
      return decodeURIComponent(part);
    } catch {
      if (!escaped.test(part) && !escapedTwice.test(key)) return part;
    }
  }
  try {
    return decode(part);
  } catch {
    return QueryString.unescape(part, true);
  }
}

function parse(qs, sep, eq, options) {
  const obj = { __proto__: null };
  if (typeof qs !== 'string' || qs.length === 0) return obj;
  sep = sep ? String(sep) : '&';
  eq = eq ? String(eq) : '=';

  let pairs = 1000;
  if (options && typeof options.maxKeys === 'number') pairs = options.maxKeys > 0 ? options.maxKeys : -1;
  let decode = QueryString.unescape;
  if (options && typeof options.decodeURIComponent === 'function') decode = options.decodeURIComponent;
  const custom = decode !== qsUnescape;
  const space = custom ? '%20' : ' ';
  const hasPlus = qs.includes('+');

  let equals = -1; // the next one from `start` on, or the length if there is none
  for (let start = 0; start < qs.length;) {
    let end = sep === '' ? -1 : qs.indexOf(sep, start);
    if (end < 0) end = qs.length;
    if (end > start) {
      if (equals < start) {
        equals = qs.indexOf(eq, start);
        if (equals < 0) equals = qs.length;
      }
      let key;
      let value;
      if (equals < end) {
        key = qs.slice(start, equals);
        value = qs.slice(equals + eq.length, end);
      } else {
        key = qs.slice(start, end);
        value = '';
      }
      if (hasPlus) {
        if (key.includes('+')) key = key.replaceAll('+', space);
        if (value.includes('+')) value = value.replaceAll('+', space);
      }
      value = decodePart(value, key, decode, custom);
      key = decodePart(key, key, decode, custom);
      const present = obj[key];
      if (present === undefined) obj[key] = value;
      else if (typeof present === 'object') present.push(value);
      else obj[key] = [present, value];
    }
    if (--pairs === 0) return obj; // an empty pair counts too
    start = end + sep.length;
  }
  return obj;
}

const QueryString = module.exports = {
  unescapeBuffer,
  unescape: qsUnescape,
  escape: qsEscape,
  stringify,
  encode: stringify,
  parse,
  decode: parse,
};
