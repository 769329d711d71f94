'use strict';
// Http2ServerResponse: a response as the listeners of 'request' know it from node:http.

const Stream = require('stream');
const { _checkIsHttpToken: isToken } = require('_http_common');
const {
  codes: {
    ERR_HTTP2_HEADERS_SENT, ERR_HTTP2_INFO_STATUS_NOT_ALLOWED, ERR_HTTP2_INVALID_HEADER_VALUE,
    ERR_HTTP2_INVALID_PSEUDOHEADER, ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED,
    ERR_HTTP2_STATUS_INVALID, ERR_INVALID_ARG_VALUE, ERR_INVALID_HTTP_TOKEN, ERR_STREAM_WRITE_AFTER_END,
  },
  hideStackFrames,
} = require('internal/errors');
const { proxyOfStream } = require('internal/http2/socket_proxy');
const { kProxySocket, kRequest, kResponse } = require('internal/http2/symbols');
const {
  validateFunction, validateLinkHeaderValue, validateObject, validateString,
} = require('internal/validators');

const kBeginSend = Symbol('begin-send');
const kHeaders = Symbol('headers');
const kState = Symbol('state');
const kStream = Symbol('stream');
const kTrailers = Symbol('trailers');

class Http2ServerResponse extends Stream {
  constructor(stream, options) {
    super(options);
    this[kState] = {
      closed: false, ending: false, destroyed: false, headRequest: false, sendDate: true, statusCode: 200,
    };
    this[kHeaders] = { __proto__: null };
    this[kTrailers] = { __proto__: null };
    this[kStream] = stream;
    stream[kProxySocket] = null;
    stream[kResponse] = this;
    this.writable = true;
    this.req = stream[kRequest];
    stream.on('drain', onDrain);
    stream.on('close', onClose);
    stream.on('wantTrailers', onWantTrailers);
    stream.on('timeout', onTimeout);
  }

  // ---- Facts ----

  // Some packages ask whether there is one.
  get _header() {
    return this.headersSent;
  }

  get writableEnded() {
    return this[kState].ending;
  }

  get finished() {
    return this[kState].ending;
  }

  get socket() {
    if (this[kState].closed) return undefined;
    const stream = this[kStream];
    if (stream[kProxySocket] === null) stream[kProxySocket] = proxyOfStream(stream);
    return stream[kProxySocket];
  }

  get connection() {
    return this.socket;
  }

  get stream() {
    return this[kStream];
  }

  get headersSent() {
    return this[kStream].headersSent;
  }

  get sendDate() {
    return this[kState].sendDate;
  }

  set sendDate(value) {
    this[kState].sendDate = Boolean(value);
  }

  get statusCode() {
    return this[kState].statusCode;
  }

  set statusCode(code) {
    code |= 0;
    if (code >= 100 && code < 200) throw new ERR_HTTP2_INFO_STATUS_NOT_ALLOWED();
    if (code < 100 || code > 599) throw new ERR_HTTP2_STATUS_INVALID(code);
    this[kState].statusCode = code;
  }

  get statusMessage() {
    warnOfStatusMessage();
    return '';
  }

  set statusMessage(message) {
    warnOfStatusMessage();
  }

  get writableCorked() {
    return this[kStream].writableCorked;
  }

  get writableHighWaterMark() {
    return this[kStream].writableHighWaterMark;
  }

  get writableObjectMode() {
    return this[kStream].writableObjectMode;
  }

  get writableFinished() {
    return this[kStream].writableFinished;
  }

  get writableLength() {
    return this[kStream].writableLength;
  }

  get writableNeedDrain() {
    return this[kStream].writableNeedDrain;
  }

  // ---- Headers and trailers ----

  setTrailer(name, value) {
    validateString(name, 'name');
    name = name.trim().toLowerCase();
    checkField(name, value);
    this[kTrailers][name] = value;
  }

  addTrailers(headers) {
    for (const name of Object.keys(headers)) this.setTrailer(name, headers[name]);
  }

  getHeader(name) {
    validateString(name, 'name');
    return this[kHeaders][name.trim().toLowerCase()];
  }

  getHeaderNames() {
    return Object.keys(this[kHeaders]);
  }

  getHeaders() {
    return Object.assign({ __proto__: null }, this[kHeaders]);
  }

  hasHeader(name) {
    validateString(name, 'name');
    return Object.hasOwn(this[kHeaders], name.trim().toLowerCase());
  }

  removeHeader(name) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    name = name.trim().toLowerCase();
    if (name === 'date') this[kState].sendDate = false;
    else delete this[kHeaders][name];
  }

  setHeader(name, value) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    setField(this, name, value);
  }

  appendHeader(name, value) {
    validateString(name, 'name');
    if (this[kStream].headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    appendField(this, name, value);
  }

  flushHeaders() {
    const state = this[kState];
    if (!state.closed && !this[kStream].headersSent) this.writeHead(state.statusCode);
  }

  writeHead(statusCode, statusMessage, headers) {
    const state = this[kState];
    const stream = this[kStream];
    if (state.closed || stream.destroyed || stream.closed) return this;
    if (stream.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
    if (typeof statusMessage === 'string') warnOfStatusMessage();
    if (headers === undefined && typeof statusMessage === 'object') headers = statusMessage;
    if (Array.isArray(headers)) {
      setFromArray(this, headers);
    } else if (typeof headers === 'object' && headers !== null) {
      for (const name of Object.keys(headers)) setField(this, name, headers[name]);
    }
    state.statusCode = statusCode;
    this[kBeginSend]();
    return this;
  }

  [kBeginSend]() {
    const { ending, sendDate, statusCode } = this[kState];
    const headers = this[kHeaders];
    headers[':status'] = statusCode;
    this[kStream].respond(headers, { endStream: ending, waitForTrailers: true, sendDate });
  }

  // ---- The body ----

  cork() {
    this[kStream].cork();
  }

  uncork() {
    this[kStream].uncork();
  }

  write(chunk, encoding, callback) {
    const state = this[kState];
    if (typeof encoding === 'function') {
      callback = encoding;
      encoding = 'utf8';
    }
    let error;
    if (state.ending) error = new ERR_STREAM_WRITE_AFTER_END();
    else if (state.closed) error = new ERR_HTTP2_INVALID_STREAM();
    else if (state.destroyed) return false;
    if (error) {
      if (typeof callback === 'function') process.nextTick(callback, error);
      this.destroy(error);
      return false;
    }
    const stream = this[kStream];
    if (!stream.headersSent) this.writeHead(state.statusCode);
    return stream.write(chunk, encoding, callback);
  }

  end(chunk, encoding, callback) {
    const stream = this[kStream];
    const state = this[kState];
    if (typeof chunk === 'function') {
      callback = chunk;
      chunk = null;
    } else if (typeof encoding === 'function') {
      callback = encoding;
      encoding = 'utf8';
    }
    if ((state.closed || state.ending) && state.headRequest === stream.headRequest) {
      if (typeof callback === 'function') process.nextTick(callback);
      return this;
    }
    if (chunk !== null && chunk !== undefined) this.write(chunk, encoding);
    state.headRequest = stream.headRequest;
    state.ending = true;
    if (typeof callback === 'function') {
      if (stream.writableEnded) this.once('finish', callback);
      else stream.once('finish', callback);
    }
    if (!stream.headersSent) this.writeHead(state.statusCode);
    if (state.closed || stream.destroyed) Reflect.apply(onClose, stream, []);
    else stream.end();
    return this;
  }

  destroy(error) {
    const state = this[kState];
    if (state.destroyed) return;
    state.destroyed = true;
    this[kStream].destroy(error);
  }

  setTimeout(msecs, callback) {
    if (!this[kState].closed) this[kStream].setTimeout(msecs, callback);
  }

  // ---- Beside the response ----

  createPushResponse(headers, callback) {
    validateFunction(callback, 'callback');
    if (this[kState].closed) {
      process.nextTick(callback, new ERR_HTTP2_INVALID_STREAM());
      return;
    }
    this[kStream].pushStream(headers, {}, (error, stream) => {
      if (error) callback(error);
      else callback(null, new Http2ServerResponse(stream));
    });
  }

  writeInformation(statusCode, headers) {
    if (typeof statusCode !== 'number' || statusCode < 100 || statusCode > 199 || statusCode === 101) {
      throw new ERR_HTTP2_STATUS_INVALID(statusCode);
    }
    const stream = this[kStream];
    if (stream.headersSent || this[kState].closed) return false;
    const fields = { __proto__: null };
    if (headers !== undefined && headers !== null) {
      validateObject(headers, 'headers');
      Object.assign(fields, headers);
    }
    fields[':status'] = statusCode;
    stream.additionalHeaders(fields);
    return true;
  }

  writeContinue() {
    return this.writeInformation(100);
  }

  writeEarlyHints(hints) {
    validateObject(hints, 'hints');
    const fields = { __proto__: null };
    const links = validateLinkHeaderValue(hints.link);
    for (const key of Object.keys(hints)) {
      if (key === 'link') continue;
      const name = key.trim().toLowerCase();
      checkField(name, hints[key]);
      if (!isToken(name)) throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
      fields[name] = hints[key];
    }
    if (links.length === 0) return false;
    fields.Link = links;
    return this.writeInformation(103, fields);
  }
}

// ---- Warnings ----

const kUnsupported = 'UnsupportedWarning';
let warnedOfStatusMessage = false;
let warnedOfConnection = false;

function warnOfStatusMessage() {
  if (warnedOfStatusMessage) return;
  warnedOfStatusMessage = true;
  process.emitWarning('Status message is not supported by HTTP/2 (RFC7540 8.1.2.4)', kUnsupported);
}

function warnOfConnection() {
  if (warnedOfConnection) return;
  warnedOfConnection = true;
  process.emitWarning('The provided connection header is not valid, the value will be dropped from the header ' +
    'and will never be in use.', kUnsupported);
}

// ---- Fields ----

const kPseudo = new Set([':status', ':method', ':path', ':authority', ':scheme']);

// HTTP/2 has no header Connection.
function isDropped(name, value) {
  return name === 'connection' && value !== 'trailers';
}

const checkField = hideStackFrames((name, value) => {
  if (name === '' || typeof name !== 'string' || name.includes(' ')) {
    throw new ERR_INVALID_HTTP_TOKEN('Header name', name);
  }
  if (kPseudo.has(name)) throw new ERR_HTTP2_PSEUDOHEADER_NOT_ALLOWED();
  if (value === undefined || value === null) throw new ERR_HTTP2_INVALID_HEADER_VALUE(value, name);
  if (isDropped(name, value)) warnOfConnection();
});

// The name as it is stored, or null if the field is dropped.
function prepareField(response, name, value) {
  name = name.trim().toLowerCase();
  checkField(name, value);
  if (isDropped(name, value)) return null;
  if (name[0] === ':' && name !== ':protocol') throw new ERR_HTTP2_INVALID_PSEUDOHEADER(name);
  if (name[0] !== ':' && !isToken(name)) response.destroy(new ERR_INVALID_HTTP_TOKEN('Header name', name));
  return name;
}

function setField(response, name, value) {
  const stored = prepareField(response, name, value);
  if (stored !== null) response[kHeaders][stored] = value;
}

function appendField(response, name, value) {
  const stored = prepareField(response, name, value);
  if (stored === null) return;
  const headers = response[kHeaders];
  if (!headers[stored]) {
    response.setHeader(stored, value);
    return;
  }
  if (!Array.isArray(headers[stored])) headers[stored] = [headers[stored]];
  if (Array.isArray(value)) headers[stored].push(...value);
  else headers[stored].push(value);
}

// Alternating names and values, or pairs. They replace what was set before, and may repeat themselves.
function setFromArray(response, list) {
  if (list.length > 0 && Array.isArray(list[0])) {
    for (const [name] of list) response.removeHeader(name);
    for (const [name, value] of list) appendField(response, name, value);
    return;
  }
  for (let i = 0; i < list.length; i += 2) response.removeHeader(list[i]);
  if (list.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', list);
  for (let i = 0; i < list.length; i += 2) appendField(response, list[i], list[i + 1]);
}

// ---- Listeners of the stream ----

function onDrain() {
  this[kResponse]?.emit('drain');
}

function onWantTrailers() {
  this.sendTrailers(this[kResponse][kTrailers]);
}

function onTimeout() {
  this[kResponse]?.emit('timeout');
}

function onClose() {
  const response = this[kResponse];
  if (response === undefined) return;
  const state = response[kState];
  if (this.headRequest !== state.headRequest) return;
  state.closed = true;
  this[kProxySocket] = null;
  this.removeListener('wantTrailers', onWantTrailers);
  this[kResponse] = undefined;
  response.emit('finish');
  response.emit('close');
}

module.exports = { Http2ServerResponse };
