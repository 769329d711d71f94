'use strict';
// The class URL, and related functions: file URLs, options for HTTP requests, domains.

const {
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_FILE_URL_HOST, ERR_INVALID_FILE_URL_PATH,
    ERR_INVALID_URL, ERR_INVALID_URL_SCHEME, ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const {
  UrlAction, change, domainToASCII: parseDomain, hasAuthority, hashOf, hostOf, hostnameOf, originOf, parse, passwordOf,
  pathnameOf, portOf, protocolOf, queryOf, searchOf, usernameOf,
} = require('internal/url/context');
const { escapes, toUSVString } = require('internal/url/percent');
const { markClassAsUncloneable } = require('internal/messaging/transferable');
const { URLSearchParams, makeParams, reload, serialize } = require('internal/url/search_params');

const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

// What the constructor throws has no code in its stack, unlike the other errors of Node.
function invalidURL(input, base) {
  const error = new TypeError('Invalid URL');
  error.code = 'ERR_INVALID_URL';
  error.input = toUSVString(input);
  if (base !== undefined) error.base = toUSVString(base);
  return error;
}

// The name of the class of an object, whatever it calls its constructor itself.
function classNameOf(value) {
  for (let object = Object(value); object !== null; object = Object.getPrototypeOf(object)) {
    const constructor = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
    if (typeof constructor === 'function' && constructor.name !== '') return constructor.name;
  }
  return undefined;
}

let fromContext;
let isOurURL;
let contextOf; // up to date with changes of searchParams
let set; // (url, action, value)

class URL {
  #context; // the URLContext
  #searchParams = null; // made when first asked for
  #searchParamsChanged = false; // then #context is out of date

  static {
    contextOf = (url) => {
      const context = url.#context;
      if (!url.#searchParamsChanged) return context;
      url.#searchParamsChanged = false;
      set(url, UrlAction.search, serialize(url.#searchParams));
      return url.#context;
    };
    set = (url, action, value) => {
      url.#context = change(contextOf(url), action, value) ?? url.#context;
    };
    isOurURL = (value) => #context in value;
    fromContext = (context) => new URL(parsed, context);
  }

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    if (input === parsed) {
      this.#context = base;
      return;
    }
    input = `${input}`;
    if (base !== undefined) base = `${base}`;
    const context = parse(input, base);
    if (context === null) throw invalidURL(input, base);
    this.#context = context;
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    const context = parse(`${input}`, base === undefined ? undefined : `${base}`);
    return context === null ? null : fromContext(context);
  }

  static canParse(url, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    return parse(`${url}`, base === undefined ? undefined : `${base}`) !== null;
  }

  [inspectCustom](depth, opts) {
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = {};
    for (const name of [
      'href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search',
      'searchParams', 'hash',
    ]) shown[name] = this[name];
    if (opts.showHidden) shown[Symbol('context')] = this.#context;
    const { inspect } = require('internal/util/inspect');
    return `${classNameOf(this) ?? 'URL'} ${inspect(shown, opts)}`;
  }

  // As a private method, because of the error for another receiver.
  #update() {
    return contextOf(this);
  }

  toString() {
    return this.#update().href;
  }

  get href() {
    return this.#update().href;
  }

  set href(value) {
    this.#context;
    value = `${value}`;
    const context = parse(value);
    if (context === null) throw new ERR_INVALID_URL(value);
    this.#context = context;
    this.#searchParamsChanged = false;
    if (this.#searchParams !== null) reload(this.#searchParams, queryOf(context));
  }

  get origin() {
    return originOf(this.#context);
  }

  get protocol() {
    return protocolOf(this.#context);
  }

  set protocol(value) {
    set(this, UrlAction.protocol, `${value}`);
  }

  get username() {
    return usernameOf(this.#context);
  }

  set username(value) {
    set(this, UrlAction.username, `${value}`);
  }

  get password() {
    return passwordOf(this.#context);
  }

  set password(value) {
    set(this, UrlAction.password, `${value}`);
  }

  get host() {
    return hostOf(this.#context);
  }

  set host(value) {
    set(this, UrlAction.host, `${value}`);
  }

  get hostname() {
    return hostnameOf(this.#context);
  }

  set hostname(value) {
    set(this, UrlAction.hostname, `${value}`);
  }

  get port() {
    return portOf(this.#context);
  }

  set port(value) {
    set(this, UrlAction.port, `${value}`);
  }

  get pathname() {
    return pathnameOf(this.#context);
  }

  set pathname(value) {
    set(this, UrlAction.pathname, `${value}`);
  }

  get search() {
    const search = searchOf(this.#update());
    return search === '?' ? '' : search;
  }

  set search(value) {
    this.#context;
    value = `${value}`;
    this.#searchParamsChanged = false;
    set(this, UrlAction.search, value);
    if (this.#searchParams !== null) reload(this.#searchParams, queryOf(this.#context));
  }

  get searchParams() {
    this.#searchParams ??= makeParams(queryOf(this.#context), () => {
      this.#searchParamsChanged = true;
    });
    return this.#searchParams;
  }

  get hash() {
    const hash = hashOf(this.#context);
    return hash === '#' ? '' : hash;
  }

  set hash(value) {
    set(this, UrlAction.hash, `${value}`);
  }

  toJSON() {
    return this.#update().href;
  }
}

// The key by which fromContext() hands the constructor a context instead of text.
const parsed = Symbol('parsed');

const enumerable = { __proto__: null, enumerable: true };

markClassAsUncloneable(URL);
markClassAsUncloneable(URLSearchParams);

Object.defineProperties(URL.prototype, {
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URL' },
  toString: enumerable,
  href: enumerable,
  origin: enumerable,
  protocol: enumerable,
  username: enumerable,
  password: enumerable,
  host: enumerable,
  hostname: enumerable,
  port: enumerable,
  pathname: enumerable,
  search: enumerable,
  searchParams: enumerable,
  hash: enumerable,
  toJSON: enumerable,
});

function createObjectURL(obj) {
  return require('internal/blob').createObjectURL(obj);
}

function revokeObjectURL(url) {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
  require('internal/blob').revokeObjectURL(url);
}

Object.defineProperties(URL, {
  parse: enumerable,
  canParse: enumerable,
  createObjectURL: { __proto__: null, configurable: true, writable: true, enumerable: true, value: createObjectURL },
  revokeObjectURL: { __proto__: null, configurable: true, writable: true, enumerable: true, value: revokeObjectURL },
});

// Other implementations of URL count too; the parsed objects of url.parse(), which have `auth`, do not.
function isURL(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);
}

function toUnicode(domain) {
  return binding('encoding_binding').toUnicode(domain);
}

function domainToASCII(domain) {
  if (arguments.length < 1) throw new ERR_MISSING_ARGS('domain');
  return parseDomain(`${domain}`);
}

function domainToUnicode(domain) {
  if (arguments.length < 1) throw new ERR_MISSING_ARGS('domain');
  const ascii = parseDomain(`${domain}`);
  return ascii.includes('xn--') ? toUnicode(ascii) : ascii;
}

function fileURLToPath(path, options = undefined) {
  if (typeof path === 'string') path = new URL(path);
  else if (!isURL(path)) throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], path);
  if (path.protocol !== 'file:') throw new ERR_INVALID_URL_SCHEME('file');
  const windows = options?.windows ?? process.platform === 'win32';
  return windows ? pathOfWindowsURL(path) : pathOfPosixURL(path);
}

// The bytes of a path that need not be UTF-8. Escaped separators are bytes like any other.
function fileURLToPathBuffer(path, options = undefined) {
  if (typeof path === 'string') path = new URL(path);
  else if (!isURL(path)) throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], path);
  if (path.protocol !== 'file:') throw new ERR_INVALID_URL_SCHEME('file');
  const { Buffer } = require('buffer');
  const windows = options?.windows ?? process.platform === 'win32';
  if (!windows) {
    if (path.hostname !== '') throw new ERR_INVALID_FILE_URL_HOST(process.platform);
    return Buffer.from(unescapeBytes(path.pathname), 'latin1');
  }
  const bytes = unescapeBytes(path.pathname.replaceAll('/', '\\'));
  if (path.hostname !== '') {
    return Buffer.concat([Buffer.from(`\\\\${domainToUnicode(path.hostname)}`), Buffer.from(bytes, 'latin1')]);
  }
  if (!isDrivePath(bytes)) throw new ERR_INVALID_FILE_URL_PATH('must be absolute', path);
  return Buffer.from(bytes.slice(1), 'latin1');
}

// One character for each byte.
function unescapeBytes(text) {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function isDrivePath(path) {
  return /^\\[A-Za-z]:/.test(path);
}

function pathOfPosixURL(url) {
  if (url.hostname !== '') throw new ERR_INVALID_FILE_URL_HOST(process.platform);
  if (/%2f/i.test(url.pathname)) {
    throw new ERR_INVALID_FILE_URL_PATH('must not include encoded / characters', url);
  }
  return decodeURIComponent(url.pathname);
}

function pathOfWindowsURL(url) {
  if (/%2f|%5c/i.test(url.pathname)) {
    throw new ERR_INVALID_FILE_URL_PATH('must not include encoded \\ or / characters', url);
  }
  const path = decodeURIComponent(url.pathname.replaceAll('/', '\\'));
  if (url.hostname !== '') return `\\\\${domainToUnicode(url.hostname)}${path}`;
  if (!isDrivePath(path)) throw new ERR_INVALID_FILE_URL_PATH('must be absolute', url);
  return path.slice(1);
}

// What the parser would take for something else, or drop, has to be escaped before it sees it.
function escapePath(path, meaningful) {
  return path.replace(meaningful, (character) => escapes[character.charCodeAt(0)]);
}

const escapedOnPosix = /[\0-\x20%\\?#|^~[\]]/g;
const escapedOnWindows = /[\0-\x20%?#|^~[\]]/g;

function pathToFileURL(filepath, options) {
  const windows = options?.windows ?? process.platform === 'win32';
  require('internal/validators').validateString(filepath, 'path');
  const path = require('path');
  const isShare = windows && filepath.startsWith('\\\\');
  let resolved = filepath;
  if (!isShare) resolved = windows ? path.win32.resolve(filepath) : path.posix.resolve(filepath);
  if (isShare || (windows && resolved.startsWith('\\\\'))) {
    return shareToFileURL(resolved, resolved.startsWith('\\\\?\\UNC\\') ? 8 : 2);
  }
  const last = filepath.charCodeAt(filepath.length - 1);
  if ((last === 0x2f || (windows && last === 0x5c)) && !resolved.endsWith(path.sep)) resolved += '/';
  const escaped = escapePath(resolved, windows ? escapedOnWindows : escapedOnPosix);
  return new URL(`file://${windows && !escaped.startsWith('\\') ? '/' : ''}${escaped}`);
}

// "\\server\share\file"; the server's name begins after the prefix.
function shareToFileURL(filepath, prefix) {
  const end = filepath.indexOf('\\', prefix);
  if (end === -1) throw new ERR_INVALID_ARG_VALUE('path', filepath, 'Missing UNC resource path');
  if (end === 2) throw new ERR_INVALID_ARG_VALUE('path', filepath, 'Empty UNC servername');
  const url = new URL('file://');
  const server = filepath.slice(prefix, end);
  const share = filepath.slice(end);
  const context = change(contextOf(url), UrlAction.hostname, server);
  if (context === null) throw new ERR_INVALID_URL(share, server);
  url.href = context.href;
  url.pathname = escapePath(share, escapedOnWindows);
  return url;
}

// A path stays a path; a URL becomes one.
function toPathIfFileURL(fileURLOrPath) {
  return isURL(fileURLOrPath) ? fileURLToPath(fileURLOrPath) : fileURLOrPath;
}

function urlToHttpOptions(url) {
  const { kValidateObjectAllowObjects, validateObject } = require('internal/validators');
  validateObject(url, 'url', kValidateObjectAllowObjects);
  const { hostname, pathname, port, username, password, search } = url;
  const options = {
    __proto__: null,
    ...url,
    protocol: url.protocol,
    hostname: typeof hostname === 'string' && hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    hash: url.hash,
    search,
    pathname,
    path: `${pathname || ''}${search || ''}`,
    href: url.href,
  };
  if (port !== '') options.port = Number(port);
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

// url.format() of a URL, with parts left out or the domain in Unicode.
function formatURL(url, { fragment, unicode, search, auth }) {
  const context = contextOf(url);
  let out = protocolOf(context);
  if (hasAuthority(context)) {
    out += '//';
    const username = usernameOf(context);
    const password = passwordOf(context);
    if (auth && (username !== '' || password !== '')) out += username + (password === '' ? '' : ':' + password) + '@';
    const hostname = hostnameOf(context);
    out += unicode && hostname.includes('xn--') ? toUnicode(hostname) : hostname;
    if (context.hasPort) out += ':' + context.port;
  } else {
    out += context.href.slice(context.host_end, context.pathname_start); // "/." before a path that begins with "//"
  }
  out += pathnameOf(context);
  if (search) out += searchOf(context);
  if (fragment) out += hashOf(context);
  return out;
}

module.exports = {
  URL,
  URLSearchParams,
  domainToASCII,
  domainToUnicode,
  fileURLToPath,
  fileURLToPathBuffer,
  formatURL,
  getURLHref: (url) => contextOf(url).href, // whatever a subclass has for `href`
  isOurURL,
  isURLInstance: (value) => typeof value === 'object' && value !== null && isOurURL(value),
  isURL,
  pathToFileURL,
  toPathIfFileURL,
  urlToHttpOptions,
};
