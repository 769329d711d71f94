'use strict';
// Hosts of URLs: domains, IPv4 and IPv6 addresses and opaque hosts. A parsed host is kept as the
// string it serialises to; `null` means that the text is not a host.

const { C0_CONTROL, hexValue, percentDecode, percentEncode, toUSVString } = require('internal/url/percent');

const FORBIDDEN_IN_HOST = 1;
const FORBIDDEN_IN_DOMAIN = 2;
const UPPER_CASE = 4;

const classes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code);
  if ('\0\t\n\r #/:<>?@[\\]^|'.includes(character)) classes[code] |= FORBIDDEN_IN_HOST | FORBIDDEN_IN_DOMAIN;
  if (code < 0x20 || code === 0x7f || character === '%') classes[code] |= FORBIDDEN_IN_DOMAIN;
  if (code >= 65 && code <= 90) classes[code] |= UPPER_CASE;
}

let idna; // Unicode domains are rare: the binding is looked up when the first one comes

function toASCII(domain) {
  idna ??= binding('encoding_binding');
  return idna.toASCII(domain);
}

function toUnicode(domain) {
  idna ??= binding('encoding_binding');
  return idna.toUnicode(domain);
}

// What an ASCII domain consists of, as a set of bits; -1 for one that needs IDNA.
function classify(domain) {
  let found = 0;
  for (let i = 0; i < domain.length; i++) {
    const code = domain.charCodeAt(i);
    if (code >= 128) return -1;
    found |= classes[code];
  }
  return found;
}

// The standard's "domain to ASCII" with its check for forbidden code points.
function domainToASCII(domain) {
  let found = classify(domain);
  if (found > 0 && (found & UPPER_CASE) !== 0) domain = domain.toLowerCase();
  if (found < 0 || domain.includes('xn--')) {
    if (domain.includes('\0')) return null; // before the binding takes it for the end
    domain = toASCII(toUSVString(domain));
    found = classify(domain);
  }
  return domain === '' || (found & FORBIDDEN_IN_DOMAIN) !== 0 ? null : domain;
}

function isDigit(code) {
  return code >= 48 && code <= 57;
}

// One part of an IPv4 address, decimal, octal (0...) or hexadecimal (0x...); NaN if it is none.
function parseIPv4Number(part) {
  if (part === '') return NaN;
  if (part.charCodeAt(0) !== 48 || part.length === 1) return /^[0-9]+$/.test(part) ? Number(part) : NaN;
  if (/^0[xX]/.test(part)) {
    if (part.length === 2) return 0;
    return /^0[xX][0-9a-fA-F]+$/.test(part) ? Number(part) : NaN;
  }
  return /^[0-7]+$/.test(part) ? Number('0o' + part) : NaN;
}

// Four decimal numbers below 256, as they are written: the common case, which needs no parsing.
function isDottedDecimal(host) {
  if (host.length > 15) return false;
  let dots = 0;
  let value = -1; // no digit yet
  for (let i = 0; i < host.length; i++) {
    const code = host.charCodeAt(i);
    if (code === 46) {
      if (value < 0 || ++dots > 3) return false;
      value = -1;
    } else {
      if (!isDigit(code) || value === 0) return false;
      value = (value < 0 ? 0 : value * 10) + code - 48;
      if (value > 255) return false;
    }
  }
  return dots === 3 && value >= 0;
}

function endsInNumber(host) {
  const end = host.charCodeAt(host.length - 1) === 46 ? host.length - 1 : host.length;
  const start = end > 0 ? host.lastIndexOf('.', end - 1) + 1 : 0;
  if (start === end || !isDigit(host.charCodeAt(start))) return false;
  const last = host.slice(start, end);
  return /^[0-9]+$/.test(last) || !Number.isNaN(parseIPv4Number(last));
}

function parseIPv4(host) {
  const parts = host.split('.');
  if (parts[parts.length - 1] === '' && parts.length > 1) parts.pop();
  if (parts.length > 4) return null;
  let address = 0;
  for (let i = 0; i < parts.length; i++) {
    const number = parseIPv4Number(parts[i]);
    const last = i === parts.length - 1;
    if (Number.isNaN(number) || number >= (last ? 256 ** (4 - i) : 256)) return null;
    address += last ? number : number * 256 ** (3 - i);
  }
  return `${address >>> 24}.${address >>> 16 & 255}.${address >>> 8 & 255}.${address & 255}`;
}

// Reads the dotted-decimal end of an IPv6 address into two pieces; false if it is malformed.
function readEmbeddedIPv4(text, position, pieces, index) {
  for (let part = 0; part < 4; part++) {
    if (part > 0) {
      if (text.charCodeAt(position) !== 46) return false;
      position++;
    }
    if (!isDigit(text.charCodeAt(position))) return false;
    let value = text.charCodeAt(position++) - 48;
    while (isDigit(text.charCodeAt(position))) {
      if (value === 0) return false;
      value = value * 10 + text.charCodeAt(position++) - 48;
      if (value > 255) return false;
    }
    pieces[index + (part >> 1)] = pieces[index + (part >> 1)] * 256 + value;
  }
  return position === text.length;
}

// `text` is what stands between the brackets. Gives the eight pieces.
function parseIPv6(text) {
  const pieces = [0, 0, 0, 0, 0, 0, 0, 0];
  let index = 0;
  let limit = 8; // pieces that may stand there; "::" replaces at least one
  let compress = -1;
  let position = 0;
  if (text.charCodeAt(0) === 58) {
    if (text.charCodeAt(1) !== 58) return null;
    position = 2;
    compress = 0;
    limit = 7;
  }
  while (position < text.length) {
    if (index === limit) return null;
    if (text.charCodeAt(position) === 58) {
      if (compress >= 0) return null;
      position++;
      compress = index;
      limit = 7;
      continue;
    }
    const start = position;
    let value = 0;
    let digit;
    while (position - start < 4 && (digit = hexValue(text.charCodeAt(position))) >= 0) {
      value = value * 16 + digit;
      position++;
    }
    const next = text.charCodeAt(position);
    if (next === 46) {
      if (position === start || index > limit - 2 || !readEmbeddedIPv4(text, start, pieces, index)) return null;
      index += 2;
      break;
    }
    if (next === 58) {
      if (++position === text.length) return null;
    } else if (position < text.length) {
      return null;
    }
    pieces[index++] = value;
  }
  if (compress < 0) return index === 8 ? pieces : null;
  // What was read after "::" belongs at the end.
  for (let from = index - 1, to = 7; from >= compress; from--, to--) {
    pieces[to] = pieces[from];
    pieces[from] = 0;
  }
  return pieces;
}

// The first longest run of at least two zero pieces is written as "::".
function serializeIPv6(pieces) {
  let start = -1;
  let length = 1;
  for (let i = 0; i < 8; i++) {
    let run = 0;
    while (i + run < 8 && pieces[i + run] === 0) run++;
    if (run > length) {
      start = i;
      length = run;
    }
    i += run;
  }
  let out = '';
  for (let i = 0; i < 8; i++) {
    if (i === start) {
      out += i === 0 ? '::' : ':';
      i += length - 1;
      continue;
    }
    out += pieces[i].toString(16);
    if (i < 7) out += ':';
  }
  return out;
}

function parseOpaqueHost(text) {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 128 && (classes[code] & FORBIDDEN_IN_HOST) !== 0) return null;
  }
  return percentEncode(text, C0_CONTROL);
}

// The host parser. `special`: whether the URL's scheme is a special one, whose hosts are domains.
function parseHost(text, special) {
  if (text.charCodeAt(0) === 91) {
    if (text.charCodeAt(text.length - 1) !== 93) return null;
    const pieces = parseIPv6(text.slice(1, -1));
    return pieces === null ? null : `[${serializeIPv6(pieces)}]`;
  }
  if (!special) return parseOpaqueHost(text);
  if (isDottedDecimal(text)) return text;
  const domain = domainToASCII(percentDecode(text));
  return domain !== null && endsInNumber(domain) ? parseIPv4(domain) : domain;
}

module.exports = { parseHost, toUnicode };
