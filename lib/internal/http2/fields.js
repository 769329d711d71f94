'use strict';
// Header fields: those that a program gives, checked and made one string for C++; those that arrive, made an object.

const {
  codes: {
    ERR_HTTP2_CONNECT_AUTHORITY, ERR_HTTP2_CONNECT_PATH, ERR_HTTP2_CONNECT_SCHEME,
    ERR_HTTP2_HEADER_SINGLE_VALUE, ERR_HTTP2_INVALID_CONNECTION_HEADERS, ERR_HTTP2_INVALID_PSEUDOHEADER,
    ERR_HTTP2_STATUS_INVALID, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_HTTP_TOKEN,
  },
} = require('internal/errors');
const { _checkIsHttpToken: isToken } = require('_http_common');
const { utcDate } = require('internal/http/date');
const { checkObject } = require('internal/http2/checks');
const {
  kAuthority, kProtocol, kSensitiveHeaders, kStrictSingleValueFields,
} = require('internal/http2/symbols');

// Fields that a block has once at most.
const kSingle = new Set([
  ':status', ':method', ':authority', ':scheme', ':path', ':protocol',
  'access-control-allow-credentials', 'access-control-max-age', 'access-control-request-method',
  'age', 'authorization', 'content-encoding', 'content-language', 'content-length', 'content-location',
  'content-md5', 'content-range', 'content-type', 'date', 'dnt', 'etag', 'expires', 'from', 'host',
  'if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'last-modified',
  'location', 'max-forwards', 'proxy-authorization', 'range', 'referer', 'retry-after', 'tk',
  'upgrade-insecure-requests', 'user-agent', 'x-content-type-options',
]);
// Fields of HTTP/1 that speak of the connection.
const kOfConnection = new Set([
  'connection', 'upgrade', 'http2-settings', 'keep-alive', 'proxy-connection', 'transfer-encoding',
]);
const kPseudo = {
  request: new Set([':status', ':method', ':authority', ':scheme', ':path', ':protocol']),
  response: new Set([':status']),
  trailers: new Set(),
};
const kWithoutPayload = new Set(['DELETE', 'GET', 'HEAD']);
// Before each field of the string: see FieldList in src/runtime/bindings/network/http2.cpp.
const kPlain = '0';
const kNeverIndexed = '1';

function isPayloadMeaningless(method) {
  return kWithoutPayload.has(method);
}

function getAuthority(headers) {
  return headers[':authority'] !== undefined ? headers[':authority'] : headers.host;
}

// ---- To be sent ----

// With lengths instead of separators: a value may contain any character.
function fieldText(flags, name, value) {
  const text = String(value);
  return `${flags}${name.length} ${text.length} ${name}${text}`;
}

// Collects fields, pseudo fields first.
class FieldWriter {
  constructor(pseudo, isStrict, sensitive) {
    this.pseudoNames = pseudo;
    this.isStrict = isStrict;
    this.sensitive = sensitive?.length > 0 ? sensitive.map((name) => name.toLowerCase()) : null;
    this.pseudo = '';
    this.others = '';
    this.singles = null;
  }

  add(name, value) {
    if (value === undefined || name === '') return;
    name = name.toLowerCase();
    const isSingle = kSingle.has(name);
    if (Array.isArray(value)) {
      if (value.length === 0) return;
      if (value.length === 1) [value] = value;
      else if (isSingle && this.isStrict) throw new ERR_HTTP2_HEADER_SINGLE_VALUE(name);
    }
    if (isSingle && this.isStrict) this.#checkOnce(name);
    const flags = this.sensitive?.includes(name) ? kNeverIndexed : kPlain;
    if (name[0] === ':') {
      if (!this.pseudoNames.has(name)) throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
      this.pseudo += fieldText(flags, name, value);
      return;
    }
    if (!isSingle) this.#checkName(name, value);
    if (!Array.isArray(value)) {
      this.others += fieldText(flags, name, value);
      return;
    }
    for (let i = 0; i < value.length; i++) this.others += fieldText(flags, name, value[i]);
  }

  #checkOnce(name) {
    if (this.singles === null) this.singles = [name];
    else if (this.singles.includes(name)) throw new ERR_HTTP2_HEADER_SINGLE_VALUE(name);
    else this.singles.push(name);
  }

  #checkName(name, value) {
    if (!isToken(name)) throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
    if (kOfConnection.has(name) || (name === 'te' && String(value) !== 'trailers')) {
      throw new ERR_HTTP2_INVALID_CONNECTION_HEADERS(name);
    }
  }
}

// `headers` is an object, or an array of alternating names and values; `kind` a key of kPseudo.
function joinFields(headers, kind, session) {
  const writer = new FieldWriter(kPseudo[kind], session[kStrictSingleValueFields], headers[kSensitiveHeaders]);
  if (Array.isArray(headers)) {
    for (let i = 0; i < headers.length; i += 2) writer.add(headers[i], headers[i + 1]);
  } else {
    const names = Object.keys(headers);
    for (let i = 0; i < names.length; i++) writer.add(names[i], headers[names[i]]);
  }
  return writer.pseudo + writer.others;
}

// ---- Requests ----

function checkConnect(authority, scheme, path) {
  if (authority === undefined) throw new ERR_HTTP2_CONNECT_AUTHORITY();
  if (scheme !== undefined) throw new ERR_HTTP2_CONNECT_SCHEME();
  if (path !== undefined) throw new ERR_HTTP2_CONNECT_PATH();
}

function requestFromObject(given, session) {
  const headers = Object.assign({ __proto__: null }, given);
  headers[':method'] ??= 'GET';
  if (headers[':method'] === 'CONNECT' && headers[':protocol'] === undefined) {
    checkConnect(headers[':authority'], headers[':scheme'], headers[':path']);
  } else {
    if (getAuthority(headers) === undefined) headers[':authority'] = session[kAuthority];
    if (headers[':scheme'] === undefined) headers[':scheme'] = session[kProtocol].slice(0, -1);
    if (headers[':path'] === undefined) headers[':path'] = '/';
  }
  return {
    headers,
    rawHeaders: undefined,
    fields: joinFields(headers, 'request', session),
    scheme: headers[':scheme'],
    authority: getAuthority(headers),
    method: headers[':method'],
  };
}

function requestFromArray(given, session) {
  const found = { __proto__: null };
  for (let i = 0; i < given.length; i += 2) {
    const name = given[i].toLowerCase();
    if (name[0] === ':') found[name] = given[i + 1];
  }
  const added = [];
  const add = (name, value) => {
    found[name] = value;
    added.push(name, value);
  };
  if (found[':method'] === undefined) add(':method', 'GET');
  if (found[':method'] === 'CONNECT' && found[':protocol'] === undefined) {
    checkConnect(found[':authority'], found[':scheme'], found[':path']);
  } else {
    if (found[':authority'] === undefined && given.host === undefined) add(':authority', session[kAuthority]);
    if (found[':scheme'] === undefined) add(':scheme', session[kProtocol].slice(0, -1));
    if (found[':path'] === undefined) add(':path', '/');
  }
  const rawHeaders = added.length > 0 ? added.concat(given) : given;
  if (given[kSensitiveHeaders] !== undefined) rawHeaders[kSensitiveHeaders] = given[kSensitiveHeaders];
  return {
    headers: undefined,
    rawHeaders,
    fields: joinFields(rawHeaders, 'request', session),
    scheme: found[':scheme'],
    authority: found[':authority'],
    method: found[':method'],
  };
}

function prepareRequest(headers, session) {
  if (Array.isArray(headers)) return requestFromArray(headers, session);
  if (headers === undefined) return requestFromObject({}, session);
  if (headers === null || typeof headers !== 'object') {
    throw new ERR_INVALID_ARG_TYPE('headers', ['Object', 'Array'], headers);
  }
  return requestFromObject(headers, session);
}

// ---- Responses ----

function checkResponse(headers, status) {
  if (status < 200 || status > 599) throw new ERR_HTTP2_STATUS_INVALID(status);
  const sensitive = headers[kSensitiveHeaders];
  if (sensitive !== undefined && !Array.isArray(sensitive)) {
    throw new ERR_INVALID_ARG_VALUE('headers[http2.neverIndex]', sensitive);
  }
}

function responseFromObject(given, options) {
  checkObject(given, 'headers', ['Object', 'Array']);
  const headers = Object.assign({ __proto__: null }, given);
  headers[kSensitiveHeaders] = given?.[kSensitiveHeaders];
  const status = headers[':status'] = headers[':status'] | 0 || 200;
  if (headers.date == null && (options.sendDate == null || options.sendDate)) headers.date = utcDate();
  checkResponse(headers, status);
  return { headers, status };
}

// The program's own array gets what it lacks.
function responseFromArray(headers, options) {
  let status = 0;
  let hasDate = false;
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i].toLowerCase();
    if (name === ':status') status = headers[i + 1] | 0;
    else if (name === 'date') hasDate = true;
  }
  if (status === 0) {
    status = 200;
    headers.unshift(':status', status);
  }
  if (!hasDate && (options.sendDate == null || options.sendDate)) headers.push('date', utcDate());
  checkResponse(headers, status);
  return { headers, status };
}

function prepareResponse(headers, options) {
  return Array.isArray(headers) ? responseFromArray(headers, options) : responseFromObject(headers, options);
}

// ---- What has arrived ----

function addRepeated(headers, name, value) {
  if (kSingle.has(name)) return; // the first one counts
  if (name === 'cookie') headers[name] = `${headers[name]}; ${value}`;
  else if (name === 'set-cookie') headers[name].push(value);
  else headers[name] = `${headers[name]}, ${value}`;
}

function toObject(list, sensitive) {
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    const value = list[i + 1];
    if (headers[name] !== undefined) addRepeated(headers, name, value);
    else if (name === ':status') headers[name] = value | 0;
    else headers[name] = name === 'set-cookie' ? [value] : value;
  }
  headers[kSensitiveHeaders] = sensitive;
  return headers;
}

// What a program has sent as an array, for `sentHeaders`.
function sentFromArray(list) {
  const headers = { __proto__: null };
  for (let i = 0; i < list.length; i += 2) {
    const name = list[i];
    if (headers[name] === undefined) headers[name] = list[i + 1];
    else if (Array.isArray(headers[name])) headers[name].push(list[i + 1]);
    else headers[name] = [headers[name], list[i + 1]];
  }
  if (list[kSensitiveHeaders] !== undefined) headers[kSensitiveHeaders] = list[kSensitiveHeaders];
  return headers;
}

module.exports = {
  getAuthority,
  isPayloadMeaningless,
  joinFields,
  prepareRequest,
  prepareResponse,
  responseFromObject,
  sentFromArray,
  toObject,
};
