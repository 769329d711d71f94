'use strict';
// The class URL, and what goes with it: file URLs, options for HTTP requests, domains.

const {
  codes: {
    ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_FILE_URL_HOST, ERR_INVALID_FILE_URL_PATH,
    ERR_INVALID_URL, ERR_INVALID_URL_SCHEME, ERR_MISSING_ARGS,
  },
} = require('internal/errors');
const { parseURL } = require('internal/url/record');
const { toUnicode } = require('internal/url/host');
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

// The record of `input` relative to `base` (both strings, `base` perhaps undefined), or null.
function parseWithBase(input, base) {
  if (base === undefined) return parseURL(input, null);
  const baseRecord = parseURL(base, null);
  return baseRecord === null ? null : parseURL(input, baseRecord);
}

// The name of the class of an object, whatever it calls its constructor itself.
function classNameOf(value) {
  for (let object = Object(value); object !== null; object = Object.getPrototypeOf(object)) {
    const constructor = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
    if (typeof constructor === 'function' && constructor.name !== '') return constructor.name;
  }
  return undefined;
}

let fromRecord;
let isOurURL;
let recordOf;

class URL {
  #context; // the URLRecord
  #searchParams = null; // made when first asked for
  #searchParamsChanged = false; // then #context.query is out of date

  static {
    recordOf = (url) => url.#update();
    isOurURL = (value) => #context in value;
    fromRecord = (record) => new URL(parsed, record);
  }

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    if (input === parsed) {
      this.#context = base;
      return;
    }
    input = `${input}`;
    if (base !== undefined) base = `${base}`;
    const record = parseWithBase(input, base);
    if (record === null) throw invalidURL(input, base);
    this.#context = record;
  }

  static parse(input, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    const record = parseWithBase(`${input}`, base === undefined ? undefined : `${base}`);
    return record === null ? null : fromRecord(record);
  }

  static canParse(url, base = undefined) {
    if (arguments.length === 0) throw new ERR_MISSING_ARGS('url');
    return parseWithBase(`${url}`, base === undefined ? undefined : `${base}`) !== null;
  }

  [inspectCustom](depth, opts) {
    if (typeof depth === 'number' && depth < 0) return this;
    const shown = {};
    for (const name of [
      'href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search',
      'searchParams', 'hash',
    ]) shown[name] = this[name];
    if (opts.showHidden) shown[Symbol('context')] = new URLContext(this.#context);
    const { inspect } = require('internal/util/inspect');
    return `${classNameOf(this) ?? 'URL'} ${inspect(shown, opts)}`;
  }

  // Brings the query up to date with changes of searchParams.
  #update() {
    if (this.#searchParamsChanged) {
      this.#searchParamsChanged = false;
      this.#context.changeSearch(serialize(this.#searchParams));
    }
    return this.#context;
  }

  toString() {
    return this.#update().href;
  }

  get href() {
    return this.#update().href;
  }

  set href(value) {
    this.#context;
    const record = parseURL(`${value}`, null);
    if (record === null) throw new ERR_INVALID_URL(`${value}`);
    this.#context = record;
    this.#searchParamsChanged = false;
    if (this.#searchParams !== null) reload(this.#searchParams, record.query ?? '');
  }

  get origin() {
    return this.#context.origin;
  }

  get protocol() {
    return this.#context.scheme + ':';
  }

  set protocol(value) {
    this.#context.changeProtocol(`${value}`);
  }

  get username() {
    return this.#context.username;
  }

  set username(value) {
    this.#context.changeUsername(`${value}`);
  }

  get password() {
    return this.#context.password;
  }

  set password(value) {
    this.#context.changePassword(`${value}`);
  }

  get host() {
    const { host, port } = this.#context;
    return port === null ? host ?? '' : `${host}:${port}`;
  }

  set host(value) {
    this.#context.changeHost(`${value}`, true);
  }

  get hostname() {
    return this.#context.host ?? '';
  }

  set hostname(value) {
    this.#context.changeHost(`${value}`, false);
  }

  get port() {
    const { port } = this.#context;
    return port === null ? '' : `${port}`;
  }

  set port(value) {
    this.#context.changePort(`${value}`);
  }

  get pathname() {
    return this.#context.path;
  }

  set pathname(value) {
    this.#context.changePathname(`${value}`);
  }

  get search() {
    const { query } = this.#update();
    return query === null || query === '' ? '' : '?' + query;
  }

  set search(value) {
    this.#context.changeSearch(toUSVString(value));
    this.#searchParamsChanged = false;
    if (this.#searchParams !== null) reload(this.#searchParams, this.#context.query ?? '');
  }

  get searchParams() {
    this.#searchParams ??= makeParams(this.#context.query ?? '', () => {
      this.#searchParamsChanged = true;
    });
    return this.#searchParams;
  }

  get hash() {
    const { fragment } = this.#context;
    return fragment === null || fragment === '' ? '' : '#' + fragment;
  }

  set hash(value) {
    const record = this.#context;
    this.#update(); // whether spaces at the end of an opaque path may go depends on the query
    record.changeHash(`${value}`);
  }

  toJSON() {
    return this.#update().href;
  }
}

// The key by which fromRecord() hands the constructor a record instead of text.
const parsed = Symbol('parsed');

// What Node's inspection of hidden properties shows: where the components lie in the href.
class URLContext {
  constructor(record) {
    const credentials = record.password === '' ? record.username.length :
      record.username.length + record.password.length + 1;
    const authorityStart = record.scheme.length + 1 + (record.host === null ? 0 : 2);
    this.href = record.href;
    this.protocol_end = record.scheme.length + 1;
    this.username_end = authorityStart + record.username.length;
    this.host_start = authorityStart + credentials;
    this.host_end = this.host_start + (credentials > 0 ? 1 : 0) + (record.host ?? '').length;
    this.pathname_start = this.host_end + (record.port === null ? 0 : `:${record.port}`.length);
    if (record.host === null && !record.opaque && record.path.startsWith('//')) this.pathname_start += 2;
    const pathEnd = this.pathname_start + record.path.length;
    const absent = 0xffffffff;
    this.search_start = record.query === null ? absent : pathEnd;
    this.hash_start = record.fragment === null ? absent :
      pathEnd + (record.query === null ? 0 : record.query.length + 1);
    this.port = record.port ?? absent;
    this.scheme_type = ['http', ' ', 'https', 'ws', 'ftp', 'wss', 'file'].indexOf(record.scheme);
    if (this.scheme_type < 0) this.scheme_type = 1;
  }

  get hasPort() {
    return this.port !== 0xffffffff;
  }

  get hasSearch() {
    return this.search_start !== 0xffffffff;
  }

  get hasHash() {
    return this.hash_start !== 0xffffffff;
  }
}

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

function parseDomain(domain) {
  const record = parseURL('ws://x', null);
  return record.changeHost(domain, false) ? record.host : '';
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

// The bytes of a path that need not be UTF-8.
function fileURLToPathBuffer(path, options = undefined) {
  if (typeof path === 'string') path = new URL(path);
  else if (!isURL(path)) throw new ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], path);
  if (path.protocol !== 'file:') throw new ERR_INVALID_URL_SCHEME('file');
  const { Buffer } = require('buffer');
  const windows = options?.windows ?? process.platform === 'win32';
  if (windows) return Buffer.from(pathOfWindowsURL(path));
  if (path.hostname !== '') throw new ERR_INVALID_FILE_URL_HOST(process.platform);
  const bytes = path.pathname.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1');
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
  if (!/^\\[A-Za-z]:/.test(path)) throw new ERR_INVALID_FILE_URL_PATH('must be absolute', url);
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
  if (!recordOf(url).changeHost(server, false)) throw new ERR_INVALID_URL(share, server);
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
  const record = recordOf(url);
  let out = record.scheme + ':';
  if (record.host !== null) {
    out += '//';
    if (auth && record.hasCredentials()) {
      out += record.username + (record.password === '' ? '' : ':' + record.password) + '@';
    }
    out += unicode && record.host.includes('xn--') ? toUnicode(record.host) : record.host;
    if (record.port !== null) out += ':' + record.port;
  } else if (!record.opaque && record.path.startsWith('//')) {
    out += '/.';
  }
  out += record.path;
  if (search && record.query !== null) out += '?' + record.query;
  if (fragment && record.fragment !== null) out += '#' + record.fragment;
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
  getURLHref: (url) => recordOf(url).href, // whatever a subclass has for `href`
  isOurURL,
  isURLInstance: (value) => typeof value === 'object' && value !== null && isOurURL(value),
  isURL,
  pathToFileURL,
  toPathIfFileURL,
  urlToHttpOptions,
};
