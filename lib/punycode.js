'use strict';
// Punycode (RFC 3492), with the interface of the punycode module 2.1.0 that Node carries.

if (!binding('util').isInsideNodeModules()) {
  process.emitWarning('The `punycode` module is deprecated. Please use a userland alternative instead.',
    'DeprecationWarning', 'DEP0040');
}

const BASE = 36;
const T_MIN = 1;
const T_MAX = 26;
const SKEW = 38;
const DAMP = 700;
const INITIAL_BIAS = 72;
const INITIAL_N = 128;
const MAX_INT = 0x7fffffff;

function overflow() {
  return new RangeError('Overflow: input needs wider integers to process');
}

// Code points of a string; a lone surrogate is one by itself.
function ucs2decode(string) {
  const out = [];
  for (let i = 0; i < string.length; i++) {
    const code = string.codePointAt(i);
    if (code > 0xffff) i++;
    out.push(code);
  }
  return out;
}

const ucs2encode = (codePoints) => String.fromCodePoint(...codePoints);

// a-z are 0 to 25 and 0-9 are 26 to 35, in either case; anything else is BASE, no digit at all.
function digitOf(code) {
  if (code >= 48 && code <= 57) return code - 22;
  const lower = code | 0x20;
  return code < 128 && lower >= 97 && lower <= 122 ? lower - 97 : BASE;
}

function characterOf(digit) {
  return String.fromCharCode(digit < 26 ? digit + 97 : digit + 22);
}

function adapt(delta, points, first) {
  delta = first ? Math.floor(delta / DAMP) : delta >> 1;
  delta += Math.floor(delta / points);
  let k = 0;
  for (; delta > (BASE - T_MIN) * T_MAX >> 1; k += BASE) delta = Math.floor(delta / (BASE - T_MIN));
  return Math.floor(k + (BASE - T_MIN + 1) * delta / (delta + SKEW));
}

function threshold(k, bias) {
  return k <= bias ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
}

function decode(input) {
  const out = [];
  const basic = Math.max(input.lastIndexOf('-'), 0);
  for (let i = 0; i < basic; i++) {
    if (input.charCodeAt(i) >= 128) throw new RangeError('Illegal input >= 0x80 (not a basic code point)');
    out.push(input.charCodeAt(i));
  }
  let n = INITIAL_N;
  let bias = INITIAL_BIAS;
  let i = 0;
  for (let position = basic > 0 ? basic + 1 : 0; position < input.length;) {
    const before = i;
    for (let weight = 1, k = BASE; ; k += BASE) {
      if (position >= input.length) throw new RangeError('Invalid input');
      const digit = digitOf(input.charCodeAt(position++));
      if (digit >= BASE) throw new RangeError('Invalid input');
      if (digit > Math.floor((MAX_INT - i) / weight)) throw overflow();
      i += digit * weight;
      const t = threshold(k, bias);
      if (digit < t) break;
      if (weight > Math.floor(MAX_INT / (BASE - t))) throw overflow();
      weight *= BASE - t;
    }
    const length = out.length + 1;
    bias = adapt(i - before, length, before === 0);
    if (Math.floor(i / length) > MAX_INT - n) throw overflow();
    n += Math.floor(i / length);
    i %= length;
    out.splice(i++, 0, n);
  }
  return String.fromCodePoint(...out);
}

function encode(input) {
  const points = ucs2decode(input);
  let out = '';
  for (const point of points) {
    if (point < 128) out += String.fromCharCode(point);
  }
  const basic = out.length;
  let handled = basic;
  if (basic > 0) out += '-';
  let n = INITIAL_N;
  let delta = 0;
  let bias = INITIAL_BIAS;
  while (handled < points.length) {
    let next = MAX_INT;
    for (const point of points) {
      if (point >= n && point < next) next = point;
    }
    if (next - n > Math.floor((MAX_INT - delta) / (handled + 1))) throw overflow();
    delta += (next - n) * (handled + 1);
    n = next;
    for (const point of points) {
      if (point < n && ++delta > MAX_INT) throw overflow();
      if (point !== n) continue;
      out += variableLength(delta, bias);
      bias = adapt(delta, handled + 1, handled === basic);
      delta = 0;
      handled++;
    }
    delta++;
    n++;
  }
  return out;
}

// A delta as a generalised variable-length integer.
function variableLength(delta, bias) {
  let out = '';
  let rest = delta;
  for (let k = BASE; ; k += BASE) {
    const t = threshold(k, bias);
    if (rest < t) return out + characterOf(rest);
    out += characterOf(t + (rest - t) % (BASE - t));
    rest = Math.floor((rest - t) / (BASE - t));
  }
}

// Applies `convert` to each label of a domain or of the domain of an e-mail address.
function mapLabels(domain, convert) {
  const parts = domain.split('@');
  const local = parts.length > 1 ? parts[0] + '@' : '';
  const host = parts.length > 1 ? parts[1] : domain;
  const labels = host.replace(/[\u3002\uff0e\uff61]/g, '.').split('.');
  for (let i = labels.length - 1; i >= 0; i--) labels[i] = convert(labels[i]); // the last error counts
  return local + labels.join('.');
}

function toUnicode(input) {
  return mapLabels(input, (label) => (label.startsWith('xn--') ? decode(label.slice(4).toLowerCase()) : label));
}

function toASCII(input) {
  return mapLabels(input, (label) => (/[^\0-\x7f]/.test(label) ? 'xn--' + encode(label) : label));
}

module.exports = {
  version: '2.1.0',
  ucs2: { decode: ucs2decode, encode: ucs2encode },
  decode,
  encode,
  toASCII,
  toUnicode,
};
