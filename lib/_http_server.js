'use strict';
// http.Server and http.ServerResponse. What happens on a connection is in internal/http/connection.

const EventEmitter = require('events');
const net = require('net');
const { channel } = require('diagnostics_channel');
const {
  codes: {
    ERR_HTTP_HEADERS_SENT, ERR_HTTP_INVALID_STATUS_CODE, ERR_HTTP_SOCKET_ASSIGNED, ERR_INVALID_ARG_VALUE,
    ERR_INVALID_CHAR, ERR_OUT_OF_RANGE,
  },
} = require('internal/errors');
const { IncomingMessage } = require('_http_incoming');
const {
  OutgoingMessage, parseUniqueHeadersOption, validateHeaderName, validateHeaderValue,
} = require('_http_outgoing');
const { checkInvalidHeaderChar } = require('internal/http/checks');
const {
  connectionListener, kOptimizeEmptyRequests, onRequestTimeout, onResponseSocketClose,
} = require('internal/http/connection');
const STATUS_CODES = require('internal/http/status_codes');
const {
  kConnectionState, kConnections, kConnectionsCheckingInterval, kIncomingMessage, kOutHeaders,
  kServerResponse, kUniqueHeaders,
} = require('internal/http/symbols');
const { hasObserver, startPerf, stopPerf } = require('internal/perf/observe');
const { assignFunctionName, kEmptyObject, promisify } = require('internal/util');
const {
  validateBoolean, validateFunction, validateInteger, validateLinkHeaderValue, validateObject, validateOneOf,
} = require('internal/validators');

const responseCreatedChannel = channel('http.server.response.created');

const kStatistics = Symbol('ServerResponseStatistics');
const kChunked = /(?:^|\W)chunked(?:$|\W)/i;

// ---- Responses ----

function ServerResponse(req, options) {
  Reflect.apply(OutgoingMessage, this, [options]);
  if (req.method === 'HEAD') this._hasBody = false;
  this.req = req;
  this.sendDate = true;
  this._sent100 = false;
  this._expect_continue = false;
  this[kConnectionState] = undefined;
  if (req.httpVersionMajor < 1 || req.httpVersionMinor < 1) {
    this.useChunkedEncodingByDefault = kChunked.test(req.headers.te);
    this.shouldKeepAlive = false;
  }
  if (hasObserver('http')) {
    const { method, url, headers } = req;
    startPerf(this, kStatistics, {
      type: 'http', name: 'HttpRequest', detail: { req: { method, url, headers } },
    });
  }
  if (responseCreatedChannel.hasSubscribers) {
    responseCreatedChannel.publish({ request: req, response: this });
  }
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

ServerResponse.prototype.statusCode = 200;
ServerResponse.prototype.statusMessage = undefined;

ServerResponse.prototype._finish = function _finish() {
  if (this[kStatistics] && hasObserver('http')) {
    const { statusCode, statusMessage } = this;
    const headers = typeof this.getHeaders === 'function' ? this.getHeaders() : {};
    stopPerf(this, kStatistics, { detail: { res: { statusCode, statusMessage, headers } } });
  }
  OutgoingMessage.prototype._finish.call(this);
};

// A connection of a server listens for us, once for all responses.
ServerResponse.prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) throw new ERR_HTTP_SOCKET_ASSIGNED();
  socket._httpMessage = this;
  if (socket[kConnectionState] === undefined) socket.on('close', onResponseSocketClose);
  this.socket = socket;
  this.emit('socket', socket);
  this._flush();
};

ServerResponse.prototype.detachSocket = function detachSocket(socket) {
  if (socket[kConnectionState] === undefined) socket.removeListener('close', onResponseSocketClose);
  socket._httpMessage = null;
  this.socket = null;
};

// ---- Status 1xx: sent before the response itself ----

ServerResponse.prototype.writeInformation = function writeInformation(statusCode, headers, callback) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  validateInteger(statusCode, 'statusCode', 100, 199);
  if (statusCode === 101) throw new ERR_HTTP_INVALID_STATUS_CODE(statusCode);
  const lenient = this._isLenientHeaderValidation();
  let head = `HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] || 'unknown'}\r\n`;
  for (const [name, value] of entriesOf(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value, lenient);
    head += `${name}: ${value}\r\n`;
  }
  return this._writeRaw(`${head}\r\n`, 'ascii', callback);
};

function entriesOf(headers) {
  if (headers === undefined || headers === null) return [];
  if (!Array.isArray(headers)) {
    validateObject(headers, 'headers');
    return Object.entries(headers);
  }
  if (headers.length > 0 && Array.isArray(headers[0])) return headers;
  if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
  const entries = [];
  for (let i = 0; i < headers.length; i += 2) entries.push([headers[i], headers[i + 1]]);
  return entries;
}

ServerResponse.prototype.writeContinue = function writeContinue(callback) {
  this.writeInformation(100, null, callback);
  this._sent100 = true;
};

ServerResponse.prototype.writeProcessing = function writeProcessing(callback) {
  this.writeInformation(102, null, callback);
};

ServerResponse.prototype.writeEarlyHints = function writeEarlyHints(hints, callback) {
  validateObject(hints, 'hints');
  if (hints.link === null || hints.link === undefined) return;
  const link = validateLinkHeaderValue(hints.link);
  if (link.length === 0) return;
  if (checkInvalidHeaderChar(link)) throw new ERR_INVALID_CHAR('header content', 'Link');
  const headers = { __proto__: null, Link: link };
  for (const key of Object.keys(hints)) {
    if (key !== 'link') headers[key] = hints[key];
  }
  this.writeInformation(103, headers, callback);
};

// ---- The head ----

ServerResponse.prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

ServerResponse.prototype.writeHead = function writeHead(statusCode, reason, headers) {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('write');
  const status = statusCode | 0;
  if (status < 100 || status > 999) throw new ERR_HTTP_INVALID_STATUS_CODE(statusCode);
  if (typeof reason === 'string') {
    this.statusMessage = reason;
  } else {
    this.statusMessage ||= STATUS_CODES[status] || 'unknown';
    headers ??= reason;
  }
  this.statusCode = status;
  if (this[kOutHeaders]) {
    mergeHeaders(this, headers);
    headers = this[kOutHeaders];
  }
  if (checkInvalidHeaderChar(this.statusMessage)) throw new ERR_INVALID_CHAR('statusMessage');
  if (status < 200 || status === 204 || status === 304) this._hasBody = false;
  // The client waits for leave to send its body, and has got an answer instead: it may send the body
  // all the same, or not.
  if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
  this._storeHeader(`HTTP/1.1 ${status} ${this.statusMessage}\r\n`, headers);
  return this;
};

// Into those that were set before, which they replace.
function mergeHeaders(response, headers) {
  if (!headers) return;
  if (!Array.isArray(headers)) {
    for (const name of Object.keys(headers)) {
      if (name) response.setHeader(name, headers[name]);
    }
    return;
  }
  if (headers.length % 2 !== 0) throw new ERR_INVALID_ARG_VALUE('headers', headers);
  for (let i = 0; i < headers.length; i += 2) response.removeHeader(headers[i]);
  for (let i = 0; i < headers.length; i += 2) {
    if (headers[i]) response.appendHeader(headers[i], headers[i + 1]);
  }
}

// ---- The server ----

function durationOption(options, name, otherwise) {
  const value = options[name];
  if (value === undefined) return otherwise;
  validateInteger(value, name, 0);
  return value;
}

function booleanOption(options, name, otherwise) {
  const value = options[name];
  if (value === undefined) return otherwise;
  validateBoolean(value, `options.${name}`);
  return value;
}

// The options of http.createServer() and https.createServer(). `this` is the server.
function storeHTTPOptions(options) {
  this[kIncomingMessage] = options.IncomingMessage || IncomingMessage;
  this[kServerResponse] = options.ServerResponse || ServerResponse;
  this.maxHeaderSize = durationOption(options, 'maxHeaderSize', undefined);
  this[kOptimizeEmptyRequests] = booleanOption(options, 'optimizeEmptyRequests', false);
  this.insecureHTTPParser = booleanOption(options, 'insecureHTTPParser', undefined);
  const { httpValidation, shouldUpgradeCallback } = options;
  if (httpValidation !== undefined) {
    validateOneOf(httpValidation, 'options.httpValidation', ['strict', 'relaxed', 'insecure']);
    if (options.insecureHTTPParser !== undefined) {
      throw new ERR_INVALID_ARG_VALUE('options.httpValidation', httpValidation,
        'cannot be used together with options.insecureHTTPParser');
    }
  }
  this.httpValidation = httpValidation;
  this.requestTimeout = durationOption(options, 'requestTimeout', 300_000);
  this.headersTimeout =
    durationOption(options, 'headersTimeout', Math.min(60_000, this.requestTimeout));
  if (this.requestTimeout > 0 && this.headersTimeout > this.requestTimeout) {
    throw new ERR_OUT_OF_RANGE('headersTimeout', '<= requestTimeout', options.headersTimeout);
  }
  this.keepAliveTimeout = durationOption(options, 'keepAliveTimeout', 5_000);
  this.keepAliveTimeoutBuffer = durationOption(options, 'keepAliveTimeoutBuffer', 1000);
  this.connectionsCheckingInterval = durationOption(options, 'connectionsCheckingInterval', 30_000);
  this.requireHostHeader = booleanOption(options, 'requireHostHeader', true);
  this.joinDuplicateHeaders = booleanOption(options, 'joinDuplicateHeaders', undefined);
  this.rejectNonStandardBodyWrites = booleanOption(options, 'rejectNonStandardBodyWrites', false);
  if (shouldUpgradeCallback !== undefined) {
    validateFunction(shouldUpgradeCallback, 'options.shouldUpgradeCallback');
    this.shouldUpgradeCallback = shouldUpgradeCallback;
  } else {
    this.shouldUpgradeCallback = function() {
      return this.listenerCount('upgrade') > 0;
    };
  }
}

function Server(options, requestListener) {
  if (!(this instanceof Server)) return new Server(options, requestListener);
  if (typeof options === 'function') {
    requestListener = options;
    options = kEmptyObject;
  } else if (options == null) {
    options = kEmptyObject;
  } else {
    validateObject(options, 'options');
  }
  Reflect.apply(storeHTTPOptions, this, [options]);
  Reflect.apply(net.Server, this, [{
    allowHalfOpen: true,
    noDelay: options.noDelay ?? true,
    keepAlive: options.keepAlive,
    keepAliveInitialDelay: options.keepAliveInitialDelay,
    highWaterMark: options.highWaterMark,
  }]);
  if (requestListener) this.on('request', requestListener);
  // Whether a client that has ended its side still gets its responses.
  this.httpAllowHalfOpen = false;
  this.on('connection', connectionListener);
  this.on('listening', setupConnectionsTracking);
  this.timeout = 0;
  this.maxHeadersCount = null;
  this.maxRequestsPerSocket = 0;
  this[kUniqueHeaders] = parseUniqueHeadersOption(options.uniqueHeaders);
}
Object.setPrototypeOf(Server.prototype, net.Server.prototype);
Object.setPrototypeOf(Server, net.Server);

Server.prototype.setTimeout = function setTimeout(msecs, callback) {
  this.timeout = msecs;
  if (callback) this.on('timeout', callback);
  return this;
};

Server.prototype[EventEmitter.captureRejectionSymbol] =
  assignFunctionName(EventEmitter.captureRejectionSymbol, function(error, event, ...args) {
    if (event !== 'request') {
      Reflect.apply(net.Server.prototype[EventEmitter.captureRejectionSymbol], this,
        [error, event, ...args]);
      return;
    }
    const response = args[1];
    if (response.headersSent || response.writableEnded) {
      response.destroy();
      return;
    }
    // What was meant for another response is not part of this one.
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.statusCode = 500;
    response.end(STATUS_CODES[500]);
  });

// ---- Connections ----

// Who is slow is looked for at intervals, also if no limit is set: one may be later.
function setupConnectionsTracking() {
  this[kConnections] ||= new (binding('http_parser').ConnectionsList)();
  if (this[kConnectionsCheckingInterval]) clearInterval(this[kConnectionsCheckingInterval]);
  this[kConnectionsCheckingInterval] =
    setInterval(checkConnections, this.connectionsCheckingInterval, this).unref();
}

function checkConnections(server) {
  const limitOf = (value) => Number.isFinite(value) && value >= 0 ? value : 0;
  const headersTimeout = limitOf(server.headersTimeout);
  const requestTimeout = limitOf(server.requestTimeout);
  if (headersTimeout === 0 && requestTimeout === 0) return;
  for (const { socket } of server[kConnections].expired(headersTimeout, requestTimeout)) {
    if (socket) onRequestTimeout(socket);
  }
}

function httpServerPreClose(server) {
  server.closeIdleConnections();
  clearInterval(server[kConnectionsCheckingInterval]);
}

Server.prototype.close = function close() {
  httpServerPreClose(this);
  Reflect.apply(net.Server.prototype.close, this, arguments);
  return this;
};

Server.prototype[Symbol.asyncDispose] = assignFunctionName(Symbol.asyncDispose, async function() {
  await promisify(this.close).call(this);
});

Server.prototype.closeAllConnections = function closeAllConnections() {
  if (!this[kConnections]) return;
  for (const { socket } of this[kConnections].all()) socket.destroy();
};

Server.prototype.closeIdleConnections = function closeIdleConnections() {
  if (!this[kConnections]) return;
  for (const { socket } of this[kConnections].idle()) {
    // The request is complete, the response is not.
    if (!socket._httpMessage || socket._httpMessage.finished) socket.destroy();
  }
};

module.exports = {
  STATUS_CODES,
  Server,
  ServerResponse,
  setupConnectionsTracking,
  storeHTTPOptions,
  _connectionListener: connectionListener,
  kServerResponse,
  httpServerPreClose,
  kConnectionsCheckingInterval,
};
