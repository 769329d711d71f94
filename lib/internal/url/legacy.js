'use strict';
// url.parse(), url.format() and url.resolve(): URLs as Node understood them before there was a standard.
// Every oddity below is one that programs rely on.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_URL } } = require('internal/errors');
const { validateObject, validateString } = require('internal/validators');
const { formatURL, isOurURL } = require('internal/url');
const { escapes, escapeWithSurrogates } = require('internal/url/percent');
const querystring = require('querystring');

// Protocols are compared with their colon.
const withSlashes = new Set(['http:', 'https:', 'ftp:', 'gopher:', 'file:', 'ws:', 'wss:']);
for (const protocol of [...withSlashes]) withSlashes.add(protocol.slice(0, -1));
const isJavascript = (protocol) => protocol === 'javascript:' || protocol === 'javascript';

const MAX_HOSTNAME = 255;

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

let parseWarned = false;

function urlParse(url, parseQueryString, slashesDenoteHost) {
  if (!parseWarned && !binding('util').isInsideNodeModules()) {
    parseWarned = true;
    process.emitWarning(
      '`url.parse()` behavior is not standardized and prone to errors that have security implications. ' +
      'Use the WHATWG URL API instead. CVEs are not issued for `url.parse()` vulnerabilities.',
      'DeprecationWarning', 'DEP0169');
  }
  if (url instanceof Url) return url;
  const object = new Url();
  object.parse(url, parseQueryString, slashesDenoteHost);
  return object;
}

const leadingSpace = /^[\0-\x20\u00a0\ufeff]+/;
const trailingSpace = /[\0-\x20\u00a0\ufeff]+$/;
const simplePath = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/;
const protocolAtStart = /^[a-z0-9.+-]+:/i;
const hostWithUser = /^\/\/[^@/]+@[^@/]+/;

// Trims, and turns the backslashes before a query or fragment into slashes, as browsers do.
function tidy(url) {
  const text = url.replace(leadingSpace, '').replace(trailingSpace, '');
  if (!text.includes('\\')) return text;
  const end = text.search(/[?#]/);
  if (end < 0) return text.replaceAll('\\', '/');
  return text.slice(0, end).replaceAll('\\', '/') + text.slice(end);
}

Url.prototype.parse = function parse(url, parseQueryString, slashesDenoteHost) {
  validateString(url, 'url');
  let rest = tidy(url);

  // An '@' after the '?' belongs to the query.
  const at = rest.indexOf('@');
  const hasUser = at >= 0 && !rest.slice(0, at).includes('?');
  if (!slashesDenoteHost && !rest.includes('#') && !hasUser) {
    const simple = simplePath.exec(rest);
    if (simple !== null) {
      this.path = rest;
      this.href = rest;
      this.pathname = simple[1];
      if (simple[2]) setSearch(this, simple[2], parseQueryString);
      else if (parseQueryString) setSearch(this, null, parseQueryString);
      return this;
    }
  }

  const match = protocolAtStart.exec(rest);
  const protocol = match === null ? null : match[0].toLowerCase();
  if (protocol !== null) {
    this.protocol = protocol;
    rest = rest.slice(protocol.length);
  }

  let slashes = false;
  if ((slashesDenoteHost || protocol !== null || hostWithUser.test(rest)) && rest.startsWith('//')) {
    slashes = true;
    if (!isJavascript(protocol)) {
      rest = rest.slice(2);
      this.slashes = true;
    }
  }

  // "HTTP:host" has a host where "http:host" has none: here the protocol counts as it was written.
  if (!isJavascript(protocol) && (slashes || (match !== null && !withSlashes.has(match[0])))) {
    rest = parseAuthority(this, rest, url);
  }
  if (!isJavascript(protocol)) rest = escapeUnsafe(rest);

  splitRest(this, rest, parseQueryString);
  if (withSlashes.has(protocol) && this.hostname && !this.pathname) this.pathname = '/';
  if (this.pathname || this.search) this.path = (this.pathname || '') + (this.search || '');
  this.href = this.format();
  return this;
};

// `search` begins with '?', or is null.
function setSearch(object, search, parseQueryString) {
  object.search = search;
  if (parseQueryString) object.query = search === null ? { __proto__: null } : querystring.parse(search.slice(1));
  else object.query = search === null ? null : search.slice(1);
}

function splitRest(object, rest, parseQueryString) {
  let end = rest.indexOf('#');
  if (end < 0) end = rest.length;
  else object.hash = rest.slice(end);
  const question = rest.indexOf('?');
  if (question >= 0 && question < end) {
    setSearch(object, rest.slice(question, end), parseQueryString);
    end = question;
  } else if (parseQueryString) {
    setSearch(object, null, true);
  }
  if (end > 0) object.pathname = rest.slice(0, end);
}

// The host ends before the first of these, as it does before '/', '?' and '#'; but all of them may
// precede an '@'.
const notInHost = new Set(' "%\';<>\\^`{|}');

function parseAuthority(object, rest, url) {
  // Tabs and newlines before the end of the host are dropped, as in the standard.
  const authorityEnd = rest.search(/[/?#]/);
  const limit = authorityEnd < 0 ? rest.length : authorityEnd;
  const authority = rest.slice(0, limit).replace(/[\t\n\r]/g, '');
  rest = authority + rest.slice(limit);

  const at = authority.lastIndexOf('@');
  if (at >= 0) object.auth = decodeURIComponent(authority.slice(0, at));
  let end = at + 1;
  while (end < authority.length && !notInHost.has(authority[end])) end++;
  object.host = authority.slice(at + 1, end);
  rest = rest.slice(end);

  object.parseHost();
  if (typeof object.hostname !== 'string') object.hostname = '';
  const hostname = object.hostname;
  const inBrackets = hostname.startsWith('[') && hostname.endsWith(']');
  // A port would have been taken off it.
  if (!inBrackets && hostname.includes(':')) throw new ERR_INVALID_ARG_VALUE('url', 'Invalid port in url', url);
  object.hostname = object.hostname.length > MAX_HOSTNAME ? '' : object.hostname.toLowerCase();
  if (object.hostname !== '') {
    if (inBrackets) {
      if (/[\0\t\n\r #%/<>?@\\^|]/.test(object.hostname)) throw new ERR_INVALID_URL(url);
    } else {
      object.hostname = hostnameToASCII(object.hostname);
      if (object.hostname === '' || forbiddenInHost.test(object.hostname)) throw new ERR_INVALID_URL(url);
    }
  }
  object.host = object.hostname + (object.port ? ':' + object.port : '');
  if (inBrackets) {
    object.hostname = object.hostname.slice(1, -1);
    if (!rest.startsWith('/')) rest = '/' + rest;
  }
  return rest;
}

const forbiddenInHost = /[\0\t\n\r #%/:<>?@[\\\]^|]/;

function hostnameToASCII(hostname) {
  if (!/[^\0-\x7f]|xn--/.test(hostname)) return hostname;
  return binding('encoding_binding').toASCII(hostname);
}

function escapeUnsafe(text) {
  return text.replace(/[\t\n\r "'<>\\^`{|}]/g, (character) => escapes[character.charCodeAt(0)]);
}

function urlFormat(urlObject, options) {
  if (typeof urlObject === 'string') return urlParse(urlObject).format();
  if (typeof urlObject !== 'object' || urlObject === null) {
    throw new ERR_INVALID_ARG_TYPE('urlObject', ['Object', 'string'], urlObject);
  }
  if (!isOurURL(urlObject)) return Url.prototype.format.call(urlObject);
  const shown = { fragment: true, unicode: false, search: true, auth: true };
  if (options) {
    validateObject(options, 'options');
    for (const name of Object.keys(shown)) {
      if (options[name] !== undefined && options[name] !== null) shown[name] = Boolean(options[name]);
    }
  }
  return formatURL(urlObject, shown);
}

// What may stand unescaped in `auth`: the unreserved characters and ':'.
function escapeAuth(auth) {
  return (auth.isWellFormed() ? encodeURIComponent(auth) : escapeWithSurrogates(auth)).replaceAll('%3A', ':');
}

Url.prototype.format = function format() {
  let protocol = this.protocol || '';
  let pathname = this.pathname || '';
  let hash = this.hash || '';
  let query = '';
  const auth = this.auth ? escapeAuth(this.auth) + '@' : '';

  let host = '';
  if (this.host) {
    host = auth + this.host;
  } else if (this.hostname) {
    const bare = this.hostname.includes(':') && !/^\[.*\]$/s.test(this.hostname);
    host = auth + (bare ? `[${this.hostname}]` : this.hostname);
    if (this.port) host += ':' + this.port;
  }

  if (this.query !== null && typeof this.query === 'object') query = querystring.stringify(this.query);
  let search = this.search || (query && '?' + query) || '';

  if (protocol && !protocol.endsWith(':')) protocol += ':';
  pathname = pathname.replace(/[?#]/g, (character) => (character === '?' ? '%3F' : '%23'));
  if (this.slashes || withSlashes.has(protocol)) {
    if (this.slashes || host) {
      if (pathname && !pathname.startsWith('/')) pathname = '/' + pathname;
      host = '//' + host;
    } else if (protocol.startsWith('file')) {
      host = '//';
    }
  }
  search = search.replaceAll('#', '%23');
  if (hash && !hash.startsWith('#')) hash = '#' + hash;
  if (search && !search.startsWith('?')) search = '?' + search;
  return protocol + host + pathname + search + hash;
};

function urlResolve(source, relative) {
  return urlParse(source, false, true).resolve(relative);
}

Url.prototype.resolve = function resolve(relative) {
  return this.resolveObject(urlParse(relative, false, true)).format();
};

function urlResolveObject(source, relative) {
  if (!source) return relative;
  return urlParse(source, false, true).resolveObject(relative);
}

Url.prototype.resolveObject = function resolveObject(relative) {
  if (typeof relative === 'string') relative = urlParse(relative, false, true);
  const result = Object.assign(new Url(), this);
  result.hash = relative.hash; // even where everything else stays
  if (relative.href !== '') {
    if (relative.slashes && !relative.protocol) takeAllButProtocol(result, relative);
    else if (relative.protocol && relative.protocol !== result.protocol) takeOtherProtocol(result, relative);
    else resolvePath(result, relative);
  }
  result.href = result.format();
  return result;
};

// "//host/path"
function takeAllButProtocol(result, relative) {
  const { protocol } = result;
  Object.assign(result, relative);
  result.protocol = protocol;
  if (withSlashes.has(protocol) && result.hostname && !result.pathname) result.path = result.pathname = '/';
}

function takeOtherProtocol(result, relative) {
  if (!withSlashes.has(relative.protocol)) {
    Object.assign(result, relative);
    return;
  }
  result.protocol = relative.protocol;
  let { host, hostname, pathname } = relative;
  if (!host && !/^file:?$/.test(relative.protocol) && !isJavascript(relative.protocol)) {
    // "http:a/b": the first part of the path that is not empty is the host
    const parts = (pathname || '').split('/');
    host = '';
    while (parts.length > 0 && host === '') host = parts.shift();
    relative.host = host;
    hostname = relative.hostname ||= '';
    if (parts[0] !== '') parts.unshift('');
    if (parts.length < 2) parts.unshift('');
    pathname = parts.join('/');
  }
  result.pathname = pathname;
  result.search = relative.search;
  result.query = relative.query;
  result.host = host || '';
  result.auth = relative.auth;
  result.hostname = hostname || host;
  result.port = relative.port;
  if (result.pathname || result.search) result.path = (result.pathname || '') + (result.search || '');
  result.slashes = result.slashes || relative.slashes;
}

function setPath(result) {
  if (result.pathname !== null || result.search !== null) {
    result.path = (result.pathname || '') + (result.search || '');
  }
}

// Puts a host before the path of a URL whose protocol knows no hosts; taken out again at the end.
function prependHost(parts, host) {
  if (!host) return;
  if (parts[0] === '') parts[0] = host;
  else parts.unshift(host);
}

function setHostFromPath(result, host) {
  result.hostname = result.host = host;
  const parts = host && host.indexOf('@') > 0 ? host.split('@') : null;
  if (parts !== null) {
    result.auth = parts.shift();
    result.host = result.hostname = parts.shift();
  }
}

function resolvePath(result, relative) {
  const sourceIsAbsolute = Boolean(result.pathname) && result.pathname.startsWith('/');
  const relativeIsAbsolute = Boolean(relative.host) || Boolean(relative.pathname?.startsWith('/'));
  let endsAbsolute = relativeIsAbsolute || sourceIsAbsolute || Boolean(result.host && relative.pathname);
  const dropLeadingDots = endsAbsolute;
  let parts = result.pathname ? result.pathname.split('/') : [];
  const relativeParts = relative.pathname ? relative.pathname.split('/') : [];
  const hostInPath = Boolean(result.protocol) && !withSlashes.has(result.protocol);
  const given = { host: relative.host, hostname: relative.hostname, port: relative.port };

  if (hostInPath) {
    result.hostname = '';
    result.port = null;
    prependHost(parts, result.host);
    result.host = '';
    if (relative.protocol) {
      given.hostname = given.port = null;
      result.auth = null;
      prependHost(relativeParts, given.host);
      given.host = null;
    }
    endsAbsolute = endsAbsolute && (relativeParts[0] === '' || parts[0] === '');
  }

  if (relativeIsAbsolute) {
    for (const name of ['host', 'hostname']) {
      if (!given[name] && given[name] !== '') continue;
      if (result[name] !== given[name]) result.auth = null;
      result[name] = given[name];
      if (name === 'host') result.port = given.port;
    }
    result.search = relative.search;
    result.query = relative.query;
    parts = relativeParts;
  } else if (relativeParts.length > 0) {
    parts.pop();
    parts.push(...relativeParts);
    result.search = relative.search;
    result.query = relative.query;
  } else if (relative.search !== null && relative.search !== undefined) {
    if (hostInPath) setHostFromPath(result, parts.shift());
    result.search = relative.search;
    result.query = relative.query;
    setPath(result);
    return;
  }

  if (parts.length === 0) {
    result.pathname = null;
    result.path = result.search ? '/' + result.search : null;
    return;
  }
  const deep = Boolean(result.host || given.host || parts.length > 1);
  parts = withoutDots(parts, deep, endsAbsolute, dropLeadingDots);
  const isAbsolute = parts[0] === '' || Boolean(parts[0]?.startsWith('/'));
  if (hostInPath) setHostFromPath(result, isAbsolute ? '' : parts.length > 0 ? parts.shift() : '');
  if ((endsAbsolute || (result.host && parts.length > 0)) && !isAbsolute) parts.unshift('');
  result.pathname = parts.length > 0 ? parts.join('/') : null;
  if (parts.length === 0) result.path = null;
  setPath(result);
  result.auth = relative.auth || result.auth;
  result.slashes = result.slashes || relative.slashes;
}

function withoutDots(parts, deep, endsAbsolute, dropLeadingDots) {
  const last = parts[parts.length - 1];
  const trailingSlash = last === '' || (deep && (last === '.' || last === '..'));
  const kept = [];
  let up = 0;
  for (let i = parts.length - 1; i >= 0; i--) {
    if (parts[i] === '.') continue;
    if (parts[i] === '..') up++;
    else if (up > 0) up--;
    else kept.push(parts[i]);
  }
  kept.reverse();
  if (!endsAbsolute && !dropLeadingDots) {
    for (; up > 0; up--) kept.unshift('..');
  }
  if (endsAbsolute && kept[0] !== '' && !kept[0]?.startsWith('/')) kept.unshift('');
  if (trailingSlash && !kept.join('/').endsWith('/')) kept.push('');
  return kept;
}

// Splits `host` into `hostname` and `port`.
Url.prototype.parseHost = function parseHost() {
  let host = this.host;
  const port = /:[0-9]*$/.exec(host);
  if (port !== null) {
    if (port[0] !== ':') this.port = port[0].slice(1);
    host = host.slice(0, host.length - port[0].length);
  }
  if (host) this.hostname = host;
};

module.exports = { Url, urlFormat, urlParse, urlResolve, urlResolveObject };
