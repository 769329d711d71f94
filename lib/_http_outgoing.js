'use strict';
// http.OutgoingMessage: what responses of servers and requests of clients have in common. It looks
// like a Writable, but writes to a socket that it may get later (requests that are pipelined, clients that
// wait for a connection): until then pieces wait in outputData.

const EventEmitter = require('events');
const Stream = require('stream');
const {
  async_id_symbol, asyncState, callForLens, defaultTriggerAsyncIdScope, lensKeepsStory,
} = require('internal/async_hooks');
const {
  codes: {
    ERR_HTTP_BODY_NOT_ALLOWED, ERR_HTTP_CONTENT_LENGTH_MISMATCH, ERR_HTTP_HEADERS_SENT,
    ERR_HTTP_INVALID_HEADER_VALUE, ERR_INVALID_ARG_TYPE, ERR_INVALID_CHAR, ERR_METHOD_NOT_IMPLEMENTED,
    ERR_STREAM_ALREADY_FINISHED, ERR_STREAM_CANNOT_PIPE, ERR_STREAM_DESTROYED, ERR_STREAM_NULL_VALUES,
    ERR_STREAM_WRITE_AFTER_END, ERR_UNKNOWN_ENCODING,
  },
} = require('internal/errors');
const {
  checkInvalidHeaderChar, isHeaderName, isLenient, validateHeaderName, validateHeaderValue,
} = require('internal/http/checks');
const { writeNow } = require('internal/http/direct_write');
const { storeHeader } = require('internal/http/head');
const { kHighWaterMark, kNeedDrain, kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');
const { getDefaultHighWaterMark } = require('internal/streams/state');
const { validateString } = require('internal/validators');

const kCorked = Symbol('corked');
const kSocket = Symbol('kSocket');
const kChunks = Symbol('kChunkedBuffer');
const kChunksLength = Symbol('kChunkedLength');
const kBytesWritten = Symbol('kBytesWritten');
const kErrored = Symbol('errored');
const kWritableFinished = Symbol('kWritableFinished');
const kEndCallbacks = Symbol('kEndCallbacks');
const kFlushError = Symbol('kFlushError');
const kReported = Symbol('kReported'); // to the lens
const kRejectNonStandardBodyWrites = Symbol('kRejectNonStandardBodyWrites');

function noop() {}

const kLineEnd = Buffer.from('\r\n');
const kNotASCII = /[^\x00-\x7f]/; // eslint-disable-line no-control-regex

function OutgoingMessage(options) {
  Reflect.apply(Stream, this, []);
  this.outputData = [];
  this.outputSize = 0; // of it, roughly
  this.writable = true;
  this.destroyed = false;
  this._last = false;
  this.chunkedEncoding = false;
  this.shouldKeepAlive = true;
  this.maxRequestsOnConnectionReached = false;
  this._defaultKeepAlive = true;
  this.useChunkedEncodingByDefault = true;
  this.sendDate = false;
  this._removedConnection = false;
  this._removedContLen = false;
  this._removedTE = false;
  this.strictContentLength = false;
  this[kBytesWritten] = 0;
  this._contentLength = null;
  this._hasBody = true;
  this._trailer = '';
  this[kNeedDrain] = false;
  this.finished = false;
  this._headerSent = false;
  this[kCorked] = 0;
  this[kChunks] = null; // while corked: chunk, encoding, callback, repeated
  this[kChunksLength] = 0;
  this._closed = false;
  this[kSocket] = null;
  this._header = null;
  this[kOutHeaders] = null; // lower-case name -> [name, value]
  this._keepAliveTimeout = 0;
  this._onPendingData = noop;
  this[kErrored] = null;
  this[kWritableFinished] = false;
  this[kEndCallbacks] = null;
  this[kFlushError] = null;
  this[kHighWaterMark] = options?.highWaterMark ?? getDefaultHighWaterMark();
  this[kRejectNonStandardBodyWrites] = options?.rejectNonStandardBodyWrites ?? false;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

// ---- Properties ----

function getter(name, get, attributes) {
  Object.defineProperty(OutgoingMessage.prototype, name, { __proto__: null, get, ...attributes });
}

// Of the chunk that is being put together: with its frame, and the head if that goes with it.
function heldLength(message) {
  const length = message[kChunksLength];
  if (length === 0) return 0;
  const head = message._headerSent || message._header === null ? 0 : message._header.length;
  return length + length.toString(16).length + 4 + head;
}

getter('errored', function() { return this[kErrored]; });
getter('closed', function() { return this._closed; });
getter('writableFinished', function() { return this[kWritableFinished]; });
getter('writableObjectMode', function() { return false; });
getter('writableLength', function() {
  return this.outputSize + heldLength(this) + (this[kSocket] ? this[kSocket].writableLength : 0);
});
getter('writableHighWaterMark', function() {
  return this[kSocket] ? this[kSocket].writableHighWaterMark : this[kHighWaterMark];
});
getter('writableCorked', function() { return this[kCorked]; });
getter('headersSent', function() { return Boolean(this._header); },
  { configurable: true, enumerable: true });
getter('writableEnded', function() { return this.finished; });
getter('writableNeedDrain', function() {
  return !this.destroyed && !this.finished && this[kNeedDrain];
});

getter('socket', function() { return this[kSocket]; }, {
  // Who has corked us has corked the socket that we write to.
  set(socket) {
    for (let n = 0; n < this[kCorked]; n++) {
      socket?.cork();
      this[kSocket]?.uncork();
    }
    this[kSocket] = socket;
  },
});
getter('connection', function() { return this[kSocket]; }, {
  set(socket) { this.socket = socket; },
});

// ---- Headers ----

// The options of the request, or of the server that responds; else the command line.
OutgoingMessage.prototype._isLenientHeaderValidation = function() {
  if (this.httpValidation !== undefined) return this.httpValidation !== 'strict';
  const server = this.req?.socket?.server;
  if (server?.httpValidation !== undefined) return server.httpValidation !== 'strict';
  if (typeof this.insecureHTTPParser === 'boolean') return this.insecureHTTPParser;
  if (typeof server?.insecureHTTPParser === 'boolean') return server.insecureHTTPParser;
  return isLenient();
};

function checkHeader(message, name, value) {
  if (!isHeaderName(name)) validateHeaderName(name);
  if (value === undefined) throw new ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (checkInvalidHeaderChar(value) &&
      checkInvalidHeaderChar(value, message._isLenientHeaderValidation())) {
    throw new ERR_INVALID_CHAR('header content', name);
  }
}

OutgoingMessage.prototype.setHeader = function setHeader(name, value) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
  checkHeader(this, name, value);
  (this[kOutHeaders] ??= { __proto__: null })[name.toLowerCase()] = [name, value];
  return this;
};

OutgoingMessage.prototype.setHeaders = function setHeaders(headers) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('set');
  if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' ||
      typeof headers.get !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
  }
  // A Headers object has an entry for each cookie.
  let cookies;
  for (const { 0: name, 1: value } of headers) {
    if (name !== 'set-cookie') {
      this.setHeader(name, value);
      continue;
    }
    cookies ??= [];
    if (Array.isArray(value)) cookies.push(...value);
    else cookies.push(value);
  }
  if (cookies !== undefined) this.setHeader('set-cookie', cookies);
  return this;
};

OutgoingMessage.prototype.appendHeader = function appendHeader(name, value) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('append');
  checkHeader(this, name, value);
  const entry = this[kOutHeaders]?.[name.toLowerCase()];
  if (!entry) return this.setHeader(name, value);
  if (!Array.isArray(entry[1])) entry[1] = [entry[1]];
  if (Array.isArray(value)) entry[1].push(...value);
  else entry[1].push(value);
  return this;
};

OutgoingMessage.prototype.getHeader = function getHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders] === null ? undefined : this[kOutHeaders][name.toLowerCase()]?.[1];
};

OutgoingMessage.prototype.getHeaderNames = function getHeaderNames() {
  return this[kOutHeaders] === null ? [] : Object.keys(this[kOutHeaders]);
};

OutgoingMessage.prototype.getRawHeaderNames = function getRawHeaderNames() {
  return this[kOutHeaders] === null ? [] : Object.values(this[kOutHeaders]).map((entry) => entry[0]);
};

OutgoingMessage.prototype.getHeaders = function getHeaders() {
  const copy = { __proto__: null };
  for (const key in this[kOutHeaders]) copy[key] = this[kOutHeaders][key][1];
  return copy;
};

OutgoingMessage.prototype.hasHeader = function hasHeader(name) {
  validateString(name, 'name');
  return this[kOutHeaders] !== null && Boolean(this[kOutHeaders][name.toLowerCase()]);
};

OutgoingMessage.prototype.removeHeader = function removeHeader(name) {
  validateString(name, 'name');
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('remove');
  const key = name.toLowerCase();
  // Those that are added by default stay away from now on.
  switch (key) {
    case 'connection':
      this._removedConnection = true;
      break;
    case 'content-length':
      this._removedContLen = true;
      break;
    case 'transfer-encoding':
      this._removedTE = true;
      break;
    case 'date':
      this.sendDate = false;
      break;
  }
  if (this[kOutHeaders] !== null) delete this[kOutHeaders][key];
};

OutgoingMessage.prototype._renderHeaders = function _renderHeaders() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  const headers = {};
  for (const key in this[kOutHeaders]) {
    const entry = this[kOutHeaders][key];
    headers[entry[0]] = entry[1];
  }
  return headers;
};

OutgoingMessage.prototype._storeHeader = function _storeHeader(firstLine, headers) {
  storeHeader(this, firstLine, headers);
};

OutgoingMessage.prototype._implicitHeader = function _implicitHeader() {
  throw new ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

OutgoingMessage.prototype.flushHeaders = function flushHeaders() {
  if (!this._header) this._implicitHeader();
  this._send('');
};

OutgoingMessage.prototype.addTrailers = function addTrailers(headers) {
  this._trailer = '';
  const isArray = Array.isArray(headers);
  const lenient = this._isLenientHeaderValidation();
  for (const key of Object.keys(headers)) {
    const name = isArray ? headers[key][0] : key;
    const value = isArray ? headers[key][1] : headers[key];
    validateHeaderName(name, 'Trailer name');
    const isSeveral = Array.isArray(value) && value.length > 1 &&
      !this[kUniqueHeaders]?.has(name.toLowerCase());
    const values = isSeveral ? value : [Array.isArray(value) ? value.join('; ') : value];
    for (const each of values) {
      if (checkInvalidHeaderChar(each, lenient)) throw new ERR_INVALID_CHAR('trailer content', name);
      this._trailer += `${name}: ${each}\r\n`;
    }
  }
};

// The option `uniqueHeaders`: these are sent in one line, whatever their values.
function parseUniqueHeadersOption(headers) {
  return Array.isArray(headers) ? new Set(headers.map((name) => name.toLowerCase())) : null;
}

// ---- Writing ----

// With the head, if that has not gone.
OutgoingMessage.prototype._send = function _send(data, encoding, callback, byteLength) {
  if (!this._headerSent && this._header !== null) {
    if (typeof data === 'string' && (encoding === 'utf8' || encoding === 'latin1' || !encoding)) {
      data = this._header + data;
    } else {
      const header = this._header;
      this.outputData.unshift({ data: header, encoding: 'latin1', callback: null });
      this.outputSize += header.length;
      this._onPendingData(header.length);
    }
    this._headerSent = true;
  }
  return this._writeRaw(data, encoding, callback, byteLength);
};

OutgoingMessage.prototype._writeRaw = function _writeRaw(data, encoding, callback) {
  const socket = this[kSocket];
  if (socket?.destroyed) return false; // its 'close' is on its way
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (socket && socket._httpMessage === this && socket.writable) {
    if (this.outputData.length > 0) this._flushOutput(socket);
    return socket.write(data, encoding, callback);
  }
  this.outputData.push({ data, encoding, callback });
  this.outputSize += data.length;
  this._onPendingData(data.length);
  return this.outputSize < this[kHighWaterMark];
};

// There is a socket, and earlier responses are done.
OutgoingMessage.prototype._flush = function _flush() {
  const socket = this[kSocket];
  if (!socket?.writable) return;
  const accepts = this._flushOutput(socket);
  if (this.finished) {
    this._finish();
  } else if (this[kNeedDrain] && accepts !== false) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

OutgoingMessage.prototype._flushOutput = function _flushOutput(socket) {
  const pieces = this.outputData;
  if (pieces.length === 0) return undefined;
  // A whole message that has waited for its connection, or its turn.
  if (this.finished && writePiecesNow(socket, pieces)) {
    this.outputData = [];
    this._onPendingData(-this.outputSize);
    this.outputSize = 0;
    return true;
  }
  socket.cork();
  let accepts;
  for (let i = 0; i < pieces.length; i++) {
    const { data, encoding, callback } = pieces[i];
    pieces[i].data = null;
    accepts = socket.write(data, encoding, callback);
  }
  socket.uncork();
  this.outputData = [];
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  return accepts;
};

// The head with the body if that is text, the body if it is bytes, and nothing with the callback of end(): one write
// for as many of these as there are. Whether it was made.
function writePiecesNow(socket, pieces) {
  const count = pieces.length;
  if (count > 3) return false;
  const { data: head, encoding } = pieces[0];
  const last = pieces[count - 1];
  if (typeof head !== 'string' || typeof last.callback !== 'function') return false;
  if (encoding && encoding !== 'utf8' && encoding !== 'latin1') return false;
  let body = '';
  if (count > 1) {
    if (last.data !== '' || !isUncalled(pieces[0].callback)) return false;
    if (count === 3) {
      body = pieces[1].data;
      if (!(body instanceof Uint8Array) || !isUncalled(pieces[1].callback)) return false;
    }
  }
  if (!writeNow.isPossible(socket)) return false;
  writeNow(socket, head, body, encoding, last.callback, callBack);
  return true;
}

function isUncalled(callback) {
  return callback === noop || callback === null || callback === undefined;
}

function callBack(callback, error) {
  callback(error);
}

OutgoingMessage.prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  const accepts = writeBody(this, chunk, encoding, callback, false);
  if (!accepts) this[kNeedDrain] = true;
  return accepts;
};

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

function isBytes(chunk) {
  return chunk instanceof Uint8Array || require('internal/util/types').isUint8Array(chunk);
}

// Whether the length that was promised is to be kept to.
function isLengthStrict(message) {
  return message.strictContentLength && message._contentLength != null && message._hasBody &&
    !message._removedContLen && !message.chunkedEncoding && !message.hasHeader('transfer-encoding');
}

// Whether writing is possible now; otherwise the error was reported.
function acceptsWrites(message, callback) {
  if (!message.finished && !message.destroyed) return true;
  const error = message.finished ?
    new ERR_STREAM_WRITE_AFTER_END() : new ERR_STREAM_DESTROYED('write');
  if (message.destroyed) process.nextTick(callback, error);
  else reportError(message, error, callback);
  return false;
}

function countStrictly(message, length, isLast) {
  const total = message[kBytesWritten] + length;
  if (isLengthStrict(message) &&
      (isLast ? total !== message._contentLength : total > message._contentLength)) {
    throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(total, message._contentLength);
  }
  message[kBytesWritten] = total;
}

function writeBody(message, chunk, encoding, callback, isLast) {
  if (typeof callback !== 'function') callback = noop;
  if (chunk === null) throw new ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !isBytes(chunk)) {
    throw new ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
  if (!acceptsWrites(message, callback)) return false;

  let length;
  if (message.strictContentLength) {
    length = sizeOf(chunk, encoding);
    countStrictly(message, length, isLast);
  }
  if (!message._header) {
    if (isLast) message._contentLength = length ??= sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectNonStandardBodyWrites]) throw new ERR_HTTP_BODY_NOT_ALLOWED();
    process.nextTick(callback);
    return true;
  }
  // All that is written in one go is one chunk and one write.
  if (message.chunkedEncoding && typeof chunk === 'string' && encoding && !Buffer.isEncoding(encoding)) {
    throw new ERR_UNKNOWN_ENCODING(encoding);
  }
  if (!isLast && message.socket && !message.socket.writableCorked) {
    message.cork();
    process.nextTick(uncorkNT, message);
  }
  if (!message.chunkedEncoding) return message._send(chunk, encoding, callback, length);
  const isHeld = message[kCorked] && (chunk.length !== 0 || message[kChunks] !== null);
  if (isHeld) {
    if (typeof chunk !== 'string' && !(chunk instanceof Buffer)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    }
    (message[kChunks] ??= []).push(chunk, encoding, callback);
    message[kChunksLength] += length ?? sizeOf(chunk, encoding);
    return message.writableLength < message.writableHighWaterMark;
  }
  if (chunk.length === 0) return message._send(chunk, encoding, callback, length);
  length ??= sizeOf(chunk, encoding);
  message._send(length.toString(16), 'latin1', null);
  message._send(kLineEnd, null, null);
  message._send(chunk, encoding, null, length);
  return message._send(kLineEnd, null, callback);
}

function uncorkNT(message) {
  if (message[kCorked]) message.uncork();
}

OutgoingMessage.prototype.cork = function cork() {
  this[kCorked]++;
  this[kSocket]?.cork();
};

// What was written meanwhile is one chunk.
OutgoingMessage.prototype.uncork = function uncork() {
  this[kCorked]--;
  const socket = this[kSocket];
  try {
    if (this[kCorked] || this[kChunks] === null) return;
    sendChunks(this, socket);
  } finally {
    socket?.uncork();
  }
  if (this[kNeedDrain] && this.writableLength === 0) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

function sendChunks(message, socket) {
  const chunks = message[kChunks];
  const length = message[kChunksLength];
  const callbacks = chunks.filter((each, i) => i % 3 === 2 && each);
  if (message.destroyed || socket?.destroyed) {
    const error = message[kErrored] || socket?._writableState?.errored ||
      new ERR_STREAM_DESTROYED('write');
    for (const callback of callbacks) {
      if (callback !== noop) process.nextTick(callback, error);
    }
  } else {
    message._send(length.toString(16), 'latin1', null);
    message._send(kLineEnd, null, null);
    for (let i = 0; i < chunks.length; i += 3) message._send(chunks[i], chunks[i + 1], null);
    message._send(kLineEnd, null, (error) => {
      for (const callback of callbacks) callback(error);
    });
  }
  message[kChunks] = null;
  message[kChunksLength] = 0;
}

// Before something that has to come after it.
function flushChunks(message) {
  if (message[kChunks] === null) return;
  message[kCorked] = 1;
  message.uncork();
}

// ---- Ending ----

function takeEndCallback(message, callback) {
  if (message[kWritableFinished]) callback(new ERR_STREAM_ALREADY_FINISHED('end'));
  else if (message[kFlushError] !== null) process.nextTick(callback, message[kFlushError]);
  else (message[kEndCallbacks] ??= []).push(callback);
}

function callEndCallbacks(message, error) {
  const callbacks = message[kEndCallbacks];
  if (callbacks === null) return;
  message[kEndCallbacks] = null;
  for (const callback of callbacks) callback(error);
}

// All of it has been written, or will not be.
function onFlushed(message, error) {
  const socket = message[kSocket];
  if (error || message[kErrored] || socket?.errored || socket?._hadError) {
    message[kFlushError] = error ?? message[kErrored] ?? socket?.errored ??
      new ERR_STREAM_DESTROYED('end');
    callEndCallbacks(message, message[kFlushError]);
    return;
  }
  message[kWritableFinished] = true;
  callEndCallbacks(message, null);
  message.emit('finish');
}

// What the lens calls the end of a response.
function responseWords({ statusCode, req }) {
  return `response ${statusCode} to ${req.method} ${req.url}`;
}

OutgoingMessage.prototype.end = function end(chunk, encoding, callback) {
  if (asyncState.observed && !this[kReported] && this.req !== undefined && !this.finished && lensKeepsStory()) {
    this[kReported] = true;
    return callForLens('HTTPRESPONSE', responseWords(this), () => this.end(chunk, encoding, callback));
  }
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }

  if (!this._headerSent && !this.finished && canWriteWhole(this, chunk, encoding)) {
    if (!this._header) {
      writeWhole(this, chunk, encoding, callback);
      return this;
    }
    if (writeAfterHead(this, chunk, encoding, callback)) return this;
  }
  if (chunk) {
    if (this.finished) {
      reportError(this, new ERR_STREAM_WRITE_AFTER_END(),
        typeof callback === 'function' ? callback : noop);
      return this;
    }
    this[kSocket]?.cork();
    writeBody(this, chunk, encoding, null, true);
  } else if (this.finished) {
    if (typeof callback === 'function') takeEndCallback(this, callback);
    return this;
  } else if (!this._header) {
    this[kSocket]?.cork();
    this._contentLength = 0;
    this._implicitHeader();
  }
  if (typeof callback === 'function') takeEndCallback(this, callback);
  if (isLengthStrict(this) && this[kBytesWritten] !== this._contentLength) {
    throw new ERR_HTTP_CONTENT_LENGTH_MISMATCH(this[kBytesWritten], this._contentLength);
  }
  sendEnd(this, chunk);
  return this;
};

function sendEnd(message, chunk) {
  if (message[kChunks] !== null) {
    message[kSocket]?.cork();
    flushChunks(message);
  }
  const flushed = (error) => onFlushed(message, error);
  if (message._hasBody && message.chunkedEncoding) {
    message._send(`0\r\n${message._trailer}\r\n`, 'latin1', flushed);
  } else if (!message._headerSent || message.writableLength || chunk) {
    message._send('', 'latin1', flushed);
  } else {
    process.nextTick(flushed);
  }
  const socket = message[kSocket];
  if (socket) {
    // However often it was corked.
    socket._writableState.corked = 1;
    socket.uncork();
  }
  message[kCorked] = 1;
  message.uncork();
  finishSending(message);
}

function finishSending(message) {
  message.finished = true;
  const socket = message[kSocket];
  if (message.outputData.length === 0 && socket && socket._httpMessage === message) message._finish();
}

// ---- A message that is complete at once: head and body in one write, past the socket's queue ----

function canWriteWhole(message, chunk, encoding) {
  const socket = message[kSocket];
  return socket !== null && socket._httpMessage === message && message.outputData.length === 0 &&
    message[kCorked] === 0 && !message.destroyed && !message.strictContentLength &&
    (!encoding || encoding === 'utf8' || encoding === 'latin1') &&
    (!chunk || typeof chunk === 'string' || chunk instanceof Uint8Array) &&
    message._send === OutgoingMessage.prototype._send &&
    message._writeRaw === OutgoingMessage.prototype._writeRaw && writeNow.isPossible(socket);
}

function writeWhole(message, chunk, encoding, callback) {
  message._contentLength = chunk ? sizeOf(chunk, encoding) : 0;
  message._implicitHeader();
  // A listener or an override may have sent something meanwhile.
  const isBodySent = Boolean(chunk) && message._hasBody;
  if (chunk && !message._hasBody && message[kRejectNonStandardBodyWrites]) {
    throw new ERR_HTTP_BODY_NOT_ALLOWED();
  }
  if (typeof callback === 'function') takeEndCallback(message, callback);
  if (message._headerSent || message.chunkedEncoding || !writeNow.isPossible(message[kSocket])) {
    const socket = message[kSocket];
    socket?.cork();
    if (isBodySent) writeBody(message, chunk, encoding, null, false);
    sendEnd(message, chunk);
    return;
  }
  message._headerSent = true;
  writeNow(message[kSocket], message._header, isBodySent ? chunk : '', encoding, message, onFlushed);
  finishSending(message);
}

// The head has been made, by writeHead(), and nothing has been sent. Whether it was written with the body.
function writeAfterHead(message, chunk, encoding, callback) {
  if (!message._hasBody || message[kChunks] !== null) return false;
  const head = message._header;
  let body = chunk || '';
  if (message.chunkedEncoding) {
    if (typeof body !== 'string') return false;
    // The head is Latin-1, whatever the body is.
    if (encoding !== 'latin1' && kNotASCII.test(head)) return false;
    const size = body === '' ? '' : `${sizeOf(body, encoding).toString(16)}\r\n`;
    body = `${size}${body}${size === '' ? '' : '\r\n'}0\r\n${message._trailer}\r\n`;
  }
  if (typeof callback === 'function') takeEndCallback(message, callback);
  message._headerSent = true;
  writeNow(message[kSocket], head, body, encoding, message, onFlushed);
  finishSending(message);
  return true;
}

// All data is with the socket, which may not have sent it.
OutgoingMessage.prototype._finish = function _finish() {
  this.emit('prefinish');
};

// ---- Errors ----

function reportError(message, error, callback) {
  if (message.destroyed) return;
  defaultTriggerAsyncIdScope(message.socket ? message.socket[async_id_symbol] : undefined,
    process.nextTick, emitErrorNT, message, error, callback);
}

function emitErrorNT(message, error, callback) {
  callback(error);
  if (typeof message.emit === 'function' && !message.destroyed) message.emit('error', error);
}

OutgoingMessage.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this[kErrored] = error;
  flushChunks(this);
  if (this[kSocket]) this[kSocket].destroy(error);
  else process.nextTick(emitCloseNT, this);
  return this;
};

function emitCloseNT(message) {
  if (message._closed) return;
  message._closed = true;
  message.emit('close');
}

OutgoingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  if (this[kSocket]) this[kSocket].setTimeout(msecs);
  else this.once('socket', (socket) => socket.setTimeout(msecs));
  return this;
};

OutgoingMessage.prototype.pipe = function pipe() {
  this.emit('error', new ERR_STREAM_CANNOT_PIPE());
};

OutgoingMessage.prototype[EventEmitter.captureRejectionSymbol] = function(error, _event) {
  this.destroy(error);
};

module.exports = {
  kHighWaterMark,
  kUniqueHeaders,
  parseUniqueHeadersOption,
  validateHeaderName,
  validateHeaderValue,
  OutgoingMessage,
};
