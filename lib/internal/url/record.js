'use strict';
// The URL record of the URL Standard, its parser and what the setters of URL do to it.
//
// The standard describes the parser as a machine that looks at one code point at a time. Here each of
// its states is a method that takes a position in the text and handles all that the state would,
// so that whole components are found by scanning and cut out by slicing.
//
// Components are kept as they serialise. The path is one string: segments contain no '/', so that
// "/a/b" is the list [a, b] and "" the empty list, and `opaque` marks an opaque path.

const {
  C0_CONTROL, FRAGMENT, QUERY, SPECIAL_QUERY, PATH, USERINFO, isPlainPath, percentEncode, toUSVString,
} = require('internal/url/percent');
const { parseHost } = require('internal/url/host');

const NOT_SPECIAL = -1;
const NO_PORT = 0;

// The default port of a special scheme; "file" has none.
function defaultPort(scheme) {
  switch (scheme) {
    case 'http': case 'ws': return 80;
    case 'https': case 'wss': return 443;
    case 'file': return NO_PORT;
    case 'ftp': return 21;
    default: return NOT_SPECIAL;
  }
}

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const QUESTION = 0x3f;
const HASH = 0x23;
const COLON = 0x3a;

function isAlpha(code) {
  code |= 0x20;
  return code >= 97 && code <= 122;
}

function isDigit(code) {
  return code >= 48 && code <= 57;
}

// The position of the ':' that ends a scheme at the start of the text, or -1.
function schemeEnd(text) {
  if (!isAlpha(text.charCodeAt(0))) return -1;
  for (let i = 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COLON) return i;
    if (!isAlpha(code) && !isDigit(code) && code !== 0x2b && code !== 0x2d && code !== 0x2e) return -1;
  }
  return -1;
}

// "C:" or "C|"
function isDriveLetter(text, start, end) {
  if (end - start !== 2 || !isAlpha(text.charCodeAt(start))) return false;
  const code = text.charCodeAt(start + 1);
  return code === COLON || code === 0x7c;
}

function startsWithDriveLetter(text, start) {
  if (!isDriveLetter(text, start, start + 2)) return false;
  if (text.length === start + 2) return true;
  const code = text.charCodeAt(start + 2);
  return code === SLASH || code === BACKSLASH || code === QUESTION || code === HASH;
}

// Whether text[start, end) is "." or "..", where each dot may also be written "%2e": the number of
// its dots, or 0.
function countDots(text, start, end) {
  let dots = 0;
  let i = start;
  while (i < end) {
    if (text.charCodeAt(i) === 0x2e) {
      i++;
    } else if (text.charCodeAt(i) === 0x25 && i + 2 < end && text.charCodeAt(i + 1) === 0x32 &&
               (text.charCodeAt(i + 2) | 0x20) === 0x65) {
      i += 3;
    } else {
      return 0;
    }
    if (++dots > 2) return 0;
  }
  return dots;
}

const tabOrNewline = /[\t\n\r]/;

// Two surrogates that become adjacent must not become a pair.
function withoutTabsAndNewlines(text) {
  return tabOrNewline.test(text) ? toUSVString(text).replace(/[\t\n\r]+/g, '') : text;
}

function trimmed(text) {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}

// Everything is written in the constructor so that all records have one shape.
class URLRecord {
  constructor() {
    this.scheme = '';
    this.special = false;
    this.username = '';
    this.password = '';
    this.host = null;
    this.port = null;
    this.path = '';
    this.opaque = false;
    this.query = null;
    this.fragment = null;
    this.serialized = null; // the href, if it was asked for since the last change
  }

  get href() {
    return this.serialized ??= this.serialize();
  }

  serialize() {
    let out = this.scheme + ':';
    if (this.host !== null) {
      out += '//';
      if (this.hasCredentials()) {
        out += this.username;
        if (this.password !== '') out += ':' + this.password;
        out += '@';
      }
      out += this.host;
      if (this.port !== null) out += ':' + this.port;
    } else if (!this.opaque && this.path.startsWith('//')) {
      out += '/.'; // or the path would be read as a host
    }
    out += this.path;
    if (this.query !== null) out += '?' + this.query;
    if (this.fragment !== null) out += '#' + this.fragment;
    return out;
  }

  get origin() {
    switch (this.scheme) {
      case 'http': case 'https': case 'ws': case 'wss': case 'ftp':
        return this.scheme + '://' + this.host + (this.port === null ? '' : ':' + this.port);
      case 'blob': {
        const inner = parseURL(this.path, null);
        if (inner !== null && (inner.scheme === 'http' || inner.scheme === 'https')) return inner.origin;
        return 'null';
      }
      default:
        return 'null';
    }
  }

  hasCredentials() {
    return this.username !== '' || this.password !== '';
  }

  cannotHaveCredentialsOrPort() {
    return this.host === null || this.host === '' || this.scheme === 'file';
  }

  // ---- the states of the parser; each gives false for failure ----

  setScheme(scheme) {
    this.scheme = scheme;
    this.special = defaultPort(scheme) !== NOT_SPECIAL;
  }

  copyAuthority(base) {
    this.username = base.username;
    this.password = base.password;
    this.host = base.host;
    this.port = base.port;
  }

  isSlash(code) {
    return code === SLASH || (code === BACKSLASH && this.special);
  }

  parse(text, base) {
    const colon = schemeEnd(text);
    if (colon < 0) return base !== null && this.noScheme(text, base);
    this.setScheme(text.slice(0, colon).toLowerCase());
    const position = colon + 1;
    if (this.scheme === 'file') return this.file(text, position, base);
    if (this.special) {
      if (base !== null && base.scheme === this.scheme &&
          !(text.charCodeAt(position) === SLASH && text.charCodeAt(position + 1) === SLASH)) {
        return this.relative(text, position, base);
      }
      return this.ignoreSlashes(text, position);
    }
    if (text.charCodeAt(position) !== SLASH) {
      this.opaque = true;
      return this.opaquePath(text, position);
    }
    if (text.charCodeAt(position + 1) === SLASH) return this.authority(text, position + 2);
    return this.pathAndRest(text, position + 1);
  }

  noScheme(text, base) {
    if (base.opaque) {
      if (text.charCodeAt(0) !== HASH) return false;
      this.setScheme(base.scheme);
      this.opaque = true;
      this.path = base.path;
      this.query = base.query;
      return this.rest(text, 0);
    }
    if (base.scheme === 'file') {
      this.setScheme('file');
      return this.file(text, 0, base);
    }
    this.setScheme(base.scheme);
    return this.relative(text, 0, base);
  }

  relative(text, position, base) {
    const code = text.charCodeAt(position);
    if (this.isSlash(code)) {
      const next = text.charCodeAt(position + 1);
      if (this.special && this.isSlash(next)) return this.ignoreSlashes(text, position + 2);
      if (next === SLASH) return this.authority(text, position + 2);
      this.copyAuthority(base);
      return this.pathAndRest(text, position + 1);
    }
    this.copyAuthority(base);
    this.path = base.path;
    if (position === text.length || code === QUESTION || code === HASH) {
      this.query = base.query;
      return this.rest(text, position);
    }
    this.shortenPath();
    return this.pathAndRest(text, position);
  }

  ignoreSlashes(text, position) {
    while (this.isSlash(text.charCodeAt(position))) position++;
    return this.authority(text, position);
  }

  authority(text, position) {
    let end = position;
    let at = -1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === 0x40) at = end;
      else if (this.isSlash(code) || code === QUESTION || code === HASH) break;
    }
    if (at >= 0) {
      if (at + 1 === end) return false;
      let colon = position;
      while (colon < at && text.charCodeAt(colon) !== COLON) colon++;
      this.username = percentEncode(text, USERINFO, position, colon);
      if (colon < at) this.password = percentEncode(text, USERINFO, colon + 1, at);
      position = at + 1;
    }
    return this.hostAndPort(text.slice(position, end)) && this.pathStart(text, end);
  }

  hostAndPort(text) {
    const colon = hostEnd(text);
    if (colon === 0 && (text.length > 0 || this.special)) return false;
    this.host = parseHost(colon < text.length ? text.slice(0, colon) : text, this.special);
    if (this.host === null) return false;
    if (colon >= text.length - 1) return true;
    for (let i = colon + 1; i < text.length; i++) {
      if (!isDigit(text.charCodeAt(i))) return false;
    }
    return this.setPort(text.slice(colon + 1));
  }

  setPort(digits) {
    const port = Number(digits);
    if (port > 65535) return false;
    this.port = port === defaultPort(this.scheme) && this.scheme !== 'file' ? null : port;
    return true;
  }

  file(text, position, base) {
    this.host = '';
    if (base !== null && base.scheme !== 'file') base = null;
    const code = text.charCodeAt(position);
    if (this.isSlash(code)) {
      if (this.isSlash(text.charCodeAt(position + 1))) return this.fileHost(text, position + 2);
      if (base !== null) {
        this.host = base.host;
        if (!startsWithDriveLetter(text, position + 1) && /^\/[A-Za-z]:(\/|$)/.test(base.path)) {
          this.path = base.path.slice(0, 3);
        }
      }
      return this.pathAndRest(text, position + 1);
    }
    if (base === null) return this.pathAndRest(text, position);
    this.host = base.host;
    this.path = base.path;
    if (position === text.length || code === QUESTION || code === HASH) {
      this.query = base.query;
      return this.rest(text, position);
    }
    if (startsWithDriveLetter(text, position)) this.path = '';
    else this.shortenPath();
    return this.pathAndRest(text, position);
  }

  fileHost(text, position) {
    let end = position;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === SLASH || code === BACKSLASH || code === QUESTION || code === HASH) break;
    }
    if (isDriveLetter(text, position, end)) return this.pathAndRest(text, position);
    return this.setFileHost(text.slice(position, end)) && this.pathStart(text, end);
  }

  setFileHost(text) {
    if (text === '') {
      this.host = '';
      return true;
    }
    const host = parseHost(text, true);
    if (host === null) return false;
    this.host = host === 'localhost' ? '' : host;
    return true;
  }

  pathStart(text, position) {
    if (this.isSlash(text.charCodeAt(position))) return this.pathAndRest(text, position + 1);
    return this.special ? this.pathAndRest(text, position) : this.rest(text, position);
  }

  // From after the slash that begins the path, or from where a relative one begins.
  pathAndRest(text, position) {
    let end = position;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === QUESTION || code === HASH) break;
    }
    this.appendPath(text, position, end);
    return this.rest(text, end);
  }

  appendPath(text, start, end) {
    if (this.scheme !== 'file' && isPlainPath(text, start, end)) {
      this.path += '/' + text.slice(start, end);
      return;
    }
    for (let position = start; ; position++) {
      let segmentEnd = position;
      while (segmentEnd < end && !this.isSlash(text.charCodeAt(segmentEnd))) segmentEnd++;
      const dots = countDots(text, position, segmentEnd);
      if (dots === 0) {
        if (this.path === '' && this.scheme === 'file' && isDriveLetter(text, position, segmentEnd)) {
          this.path = '/' + text[position] + ':';
        } else {
          this.path += '/' + percentEncode(text, PATH, position, segmentEnd);
        }
      } else {
        if (dots === 2) this.shortenPath();
        if (segmentEnd === end) this.path += '/';
      }
      if (segmentEnd === end) return;
      position = segmentEnd;
    }
  }

  // Takes the last segment away, but not the drive of a file.
  shortenPath() {
    const slash = this.path.lastIndexOf('/');
    if (slash < 0 || (slash === 0 && this.scheme === 'file' && /^\/[A-Za-z]:$/.test(this.path))) return;
    this.path = this.path.slice(0, slash);
  }

  opaquePath(text, position) {
    let end = position;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === QUESTION || code === HASH) break;
    }
    // A space at the end would be lost without what follows it.
    const escapesSpace = end < text.length && end > position && text.charCodeAt(end - 1) === SPACE;
    this.path = escapesSpace ? `${percentEncode(text, C0_CONTROL, position, end - 1)}%20` :
      percentEncode(text, C0_CONTROL, position, end);
    return this.rest(text, end);
  }

  // Query and fragment.
  rest(text, position) {
    if (text.charCodeAt(position) === QUESTION) {
      let end = text.indexOf('#', position);
      if (end < 0) end = text.length;
      this.query = percentEncode(text, this.special ? SPECIAL_QUERY : QUERY, position + 1, end);
      position = end;
    }
    if (position < text.length) this.fragment = percentEncode(text, FRAGMENT, position + 1);
    return true;
  }

  // ---- what the setters of URL do: the parser started in the middle ----

  changeProtocol(value) {
    this.serialized = null;
    const text = withoutTabsAndNewlines(value) + ':';
    const colon = schemeEnd(text);
    if (colon < 0) return;
    const scheme = text.slice(0, colon).toLowerCase();
    if (this.special !== (defaultPort(scheme) !== NOT_SPECIAL)) return;
    if (scheme === 'file' && (this.hasCredentials() || this.port !== null)) return;
    if (this.scheme === 'file' && this.host === '') return;
    this.setScheme(scheme);
    if (this.port === defaultPort(scheme)) this.port = null;
  }

  changeUsername(value) {
    this.serialized = null;
    if (!this.cannotHaveCredentialsOrPort()) this.username = percentEncode(value, USERINFO);
  }

  changePassword(value) {
    this.serialized = null;
    if (!this.cannotHaveCredentialsOrPort()) this.password = percentEncode(value, USERINFO);
  }

  // False if nothing was changed.
  changeHost(value, withPort) {
    this.serialized = null;
    if (this.opaque) return false;
    const text = withoutTabsAndNewlines(value);
    let end = 0;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (this.isSlash(code) || code === QUESTION || code === HASH) break;
    }
    if (this.scheme === 'file') return this.setFileHost(text.slice(0, end));
    const authority = text.slice(0, end);
    const colon = hostEnd(authority);
    if (colon < authority.length && (colon === 0 || !withPort)) return false;
    if (colon === 0 && (this.special || this.hasCredentials() || this.port !== null)) return false;
    const host = parseHost(authority.slice(0, colon), this.special);
    if (host === null) return false;
    this.host = host;
    if (colon < authority.length) this.changePortDigits(authority, colon + 1);
    return true;
  }

  changePort(value) {
    this.serialized = null;
    if (this.cannotHaveCredentialsOrPort()) return;
    if (value === '') this.port = null;
    else this.changePortDigits(withoutTabsAndNewlines(value), 0);
  }

  // Takes the digits at `start` and is content with whatever follows them.
  changePortDigits(text, start) {
    let end = start;
    while (isDigit(text.charCodeAt(end))) end++;
    if (end > start) this.setPort(text.slice(start, end));
  }

  changePathname(value) {
    this.serialized = null;
    if (this.opaque) return;
    const text = withoutTabsAndNewlines(value);
    this.path = '';
    if (this.isSlash(text.charCodeAt(0))) this.appendPath(text, 1, text.length);
    else if (this.special || text !== '') this.appendPath(text, 0, text.length);
    else if (this.host === null) this.path = '/';
  }

  changeSearch(value) {
    this.serialized = null;
    if (value === '') {
      this.query = null;
      return;
    }
    const text = withoutTabsAndNewlines(value);
    const start = text.charCodeAt(0) === QUESTION ? 1 : 0;
    this.query = percentEncode(text, this.special ? SPECIAL_QUERY : QUERY, start);
  }

  changeHash(value) {
    this.serialized = null;
    if (value === '') {
      this.fragment = null;
      return;
    }
    const text = withoutTabsAndNewlines(value);
    this.fragment = percentEncode(text, FRAGMENT, text.charCodeAt(0) === HASH ? 1 : 0);
  }
}

// Where the host of "host:port" ends: at a colon outside of brackets, or at the end.
function hostEnd(text) {
  let inBrackets = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === COLON && !inBrackets) return i;
    if (code === 0x5b) inBrackets = true;
    else if (code === 0x5d) inBrackets = false;
  }
  return text.length;
}

// The record of a URL, `base` being another record or null; null if there is no such URL.
function parseURL(input, base) {
  const record = new URLRecord();
  return record.parse(withoutTabsAndNewlines(trimmed(input)), base) ? record : null;
}

module.exports = { parseURL };
