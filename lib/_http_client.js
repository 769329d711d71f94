'use strict';
// http.ClientRequest. What happens on its socket is in internal/http/client_connection.

const net = require('net');
const { channel } = require('diagnostics_channel');
const { addAbortSignal } = require('stream');
const Agent = require('_http_agent');
const { OutgoingMessage, parseUniqueHeadersOption } = require('_http_outgoing');
const {
  codes: {
    ERR_HTTP_HEADERS_SENT, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_HTTP_TOKEN,
    ERR_INVALID_PROTOCOL, ERR_UNESCAPED_CHARACTERS,
  },
} = require('internal/errors');
const { checkIsHttpToken } = require('internal/http/checks');
const {
  emitRequestError, kStatistics, listenForTimeout, takeSocket,
} = require('internal/http/client_connection');
const { rewriteForProxy } = require('internal/http/proxy');
const { kHighWaterMark, kOutHeaders, kUniqueHeaders } = require('internal/http/symbols');
const { hasObserver, startPerf } = require('internal/perf/observe');
const { getTimerDuration } = require('internal/timers');
const { URL, isURL, urlToHttpOptions } = require('internal/url');
const { once } = require('internal/util');
const {
  validateBoolean, validateInteger, validateOneOf, validateString,
} = require('internal/validators');

const createdChannel = channel('http.client.request.created');
const startChannel = channel('http.client.request.start');

const kPath = Symbol('kPath');
const kAuthority = Symbol('kAuthority');
const kIsAbsolute = Symbol('kProxyRewrittenToAbsolute');
const kNotInPath = /[^\u0021-\u00ff]/;
// Requests that have no body, unless one is written.
const kBodyless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

// (url, options, callback), (url, callback), (options, callback). The options are an object of ours.
function normalizeArguments(input, options, callback) {
  if (typeof input === 'string') {
    input = urlToHttpOptions(new URL(input));
  } else if (isURL(input)) {
    input = urlToHttpOptions(input);
  } else {
    callback = options;
    options = input;
    input = null;
  }
  if (typeof options === 'function') return [input || { __proto__: null }, options];
  return [Object.assign({ __proto__: null }, input, options), callback];
}

function ClientRequest(input, options, callback) {
  Reflect.apply(OutgoingMessage, this, []);
  [options, callback] = normalizeArguments(input, options, callback);
  if (options.highWaterMark != null) this[kHighWaterMark] = options.highWaterMark;

  const defaultAgent = options._defaultAgent || Agent.globalAgent;
  this.agent = chooseAgent(options, defaultAgent);
  const protocol = options.protocol || defaultAgent.protocol;
  const expectedProtocol = this.agent?.protocol || defaultAgent.protocol;
  if (options.path && kNotInPath.test(String(options.path))) {
    throw new ERR_UNESCAPED_CHARACTERS('Request path');
  }
  if (protocol !== expectedProtocol) throw new ERR_INVALID_PROTOCOL(protocol, expectedProtocol);

  const defaultPort = options.defaultPort || this.agent?.defaultPort;
  const port = options.port = options.port || defaultPort || 80;
  const host = options.host = checkHost(options.hostname, 'hostname') ||
    checkHost(options.host, 'host') || 'localhost';
  const hasNoDefaults = options.setDefaultHeaders === false;
  const setHost = options.setHost !== undefined ? Boolean(options.setHost) : !hasNoDefaults;
  this._removedConnection = hasNoDefaults;
  this._removedContLen = hasNoDefaults;
  this._removedTE = hasNoDefaults;
  this.socketPath = options.socketPath;
  if (options.timeout !== undefined) this.timeout = getTimerDuration(options.timeout, 'timeout');
  if (options.signal) {
    addAbortSignal(options.signal, this);
    delete options.signal;
  }
  storeOptions(this, options);
  this[kPath] = options.path || '/';
  if (callback) this.once('response', callback);
  this.useChunkedEncodingByDefault = !kBodyless.has(this.method);
  this._ended = false;
  this.res = null;
  this.aborted = false;
  this.timeoutCb = null;
  this.upgradeOrConnect = false;
  this.parser = null;
  this.maxHeadersCount = null;
  this.reusedSocket = false;
  this.host = host;
  this.protocol = protocol;
  this[kIsAbsolute] = false;
  if (this.agent) {
    // Without keepAlive and without a limit no socket is ever used again.
    const isReused = this.agent.keepAlive || Number.isFinite(this.agent.maxSockets);
    this._last = !isReused;
    this.shouldKeepAlive = isReused;
  }
  const authority = { host: withBrackets(host), port };
  this[kAuthority] =
    port && +port !== defaultPort ? `${authority.host}:${port}` : authority.host;
  storeHead(this, options, authority, setHost && host);
  this[kUniqueHeaders] = parseUniqueHeadersOption(options.uniqueHeaders);

  if (this.agent) this.agent.addRequest(this, options);
  else connectAlone(this, options);
  if (createdChannel.hasSubscribers) createdChannel.publish({ request: this });
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

function chooseAgent(options, defaultAgent) {
  const { agent } = options;
  if (agent === false) return new defaultAgent.constructor();
  if (agent === null || agent === undefined) {
    return typeof options.createConnection === 'function' ? agent : defaultAgent;
  }
  if (typeof agent.addRequest !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  }
  return agent;
}

function checkHost(host, name) {
  if (host !== null && host !== undefined && typeof host !== 'string') {
    throw new ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], host);
  }
  return host;
}

// "::1" is "[::1]" in a URL and in the header Host.
function withBrackets(host) {
  return host[0] !== '[' && host.indexOf(':') !== host.lastIndexOf(':') ? `[${host}]` : host;
}

function storeOptions(request, options) {
  const { method, maxHeaderSize, insecureHTTPParser, httpValidation, joinDuplicateHeaders } = options;
  if (method != null) validateString(method, 'options.method');
  if (method && !checkIsHttpToken(method)) throw new ERR_INVALID_HTTP_TOKEN('Method', method);
  request.method = method ? method.toUpperCase() : 'GET';
  if (maxHeaderSize !== undefined) validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  request.maxHeaderSize = maxHeaderSize;
  if (insecureHTTPParser !== undefined) {
    validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  }
  request.insecureHTTPParser = insecureHTTPParser;
  if (httpValidation !== undefined) {
    validateOneOf(httpValidation, 'options.httpValidation', ['strict', 'relaxed', 'insecure']);
    if (insecureHTTPParser !== undefined) {
      throw new ERR_INVALID_ARG_VALUE('options.httpValidation', httpValidation,
        'cannot be used together with options.insecureHTTPParser');
    }
  }
  request.httpValidation = httpValidation;
  if (joinDuplicateHeaders !== undefined) {
    validateBoolean(joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  }
  request.joinDuplicateHeaders = joinDuplicateHeaders;
}

function firstLine(request) {
  return `${request.method} ${request.path} HTTP/1.1\r\n`;
}

// Headers of the options, those that are added, and those for a proxy. An array is the head, as it is.
function storeHead(request, options, authority, addsHost) {
  const { headers } = options;
  if (Array.isArray(headers)) {
    request[kIsAbsolute] = rewriteForProxy(request, options, authority, undefined, headers);
    request._storeHeader(firstLine(request), headers);
    return;
  }
  if (headers) {
    for (const name of Object.keys(headers)) request.setHeader(name, headers[name]);
  }
  const userHost = request.getHeader('host');
  if (addsHost && !userHost) {
    request.setHeader('Host', request.method === 'CONNECT' && options.path ?
      String(request.path) : request[kAuthority]);
  }
  if (options.auth && !request.getHeader('Authorization')) {
    request.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
  }
  if (request.getHeader('expect') && request._header) throw new ERR_HTTP_HEADERS_SENT('render');
  request[kIsAbsolute] = rewriteForProxy(request, options, authority, userHost);
  // The other side has to answer before there is a body.
  if (request.getHeader('expect')) request._storeHeader(firstLine(request), request[kOutHeaders]);
}

// Without an agent: a connection for this request only.
function connectAlone(request, options) {
  request._last = true;
  request.shouldKeepAlive = false;
  if (options.path || options.socketPath) {
    // net.connect() takes a path for that of a pipe.
    options = { ...options, path: options.socketPath || undefined };
  }
  if (typeof options.createConnection !== 'function') {
    request.onSocket(net.createConnection(options));
    return;
  }
  const onCreated = once((error, socket) => {
    if (error) process.nextTick(() => emitRequestError(request, error));
    else request.onSocket(socket);
  });
  try {
    const socket = options.createConnection(options, onCreated);
    if (socket) onCreated(null, socket);
  } catch (error) {
    onCreated(error);
  }
}

Object.defineProperty(ClientRequest.prototype, 'path', {
  __proto__: null,
  get() {
    return this[kPath];
  },
  set(value) {
    const path = String(value);
    if (kNotInPath.test(path)) throw new ERR_UNESCAPED_CHARACTERS('Request path');
    this[kPath] = path;
  },
  configurable: true,
  enumerable: true,
});

ClientRequest.prototype._finish = function _finish() {
  OutgoingMessage.prototype._finish.call(this);
  if (hasObserver('http')) {
    const url = this[kIsAbsolute] ? this.path : `${this.protocol}//${this[kAuthority]}${this.path}`;
    const headers = typeof this.getHeaders === 'function' ? this.getHeaders() : {};
    startPerf(this, kStatistics, {
      type: 'http', name: 'HttpClient', detail: { req: { method: this.method, url, headers } },
    });
  }
  if (startChannel.hasSubscribers) startChannel.publish({ request: this });
};

ClientRequest.prototype._implicitHeader = function _implicitHeader() {
  if (this._header) throw new ERR_HTTP_HEADERS_SENT('render');
  this._storeHeader(firstLine(this), this[kOutHeaders]);
};

ClientRequest.prototype.onSocket = function onSocket(socket, error) {
  takeSocket(this, socket, error);
};

// ---- Ending early ----

ClientRequest.prototype.abort = function abort() {
  if (this.aborted) return;
  this.aborted = true;
  process.nextTick(emitAbortNT, this);
  this.destroy();
};

function emitAbortNT(request) {
  request.emit('abort');
}

ClientRequest.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  if (this.res) this.res._dump();
  // All is said: its socket may be another request's already.
  if (this.writableFinished && this.res?.complete) return this;
  this[takeSocket.kError] = error;
  this.socket?.destroy(error);
  return this;
};

// ---- The socket's options, which may have to wait for it ----

ClientRequest.prototype._deferToConnect = function _deferToConnect(method, args) {
  const apply = () => {
    if (method) Reflect.apply(this.socket[method], this.socket, args);
  };
  const onSocket = () => {
    if (this.socket.writable) apply();
    else this.socket.once('connect', apply);
  };
  if (this.socket) onSocket();
  else this.once('socket', onSocket);
};

ClientRequest.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (this._ended) return this;
  listenForTimeout(this);
  msecs = getTimerDuration(msecs, 'msecs');
  if (callback) this.once('timeout', callback);
  if (this.socket) setSocketTimeout(this.socket, msecs);
  else this.once('socket', (socket) => setSocketTimeout(socket, msecs));
  return this;
};

function setSocketTimeout(socket, msecs) {
  if (socket.connecting) socket.once('connect', () => socket.setTimeout(msecs));
  else socket.setTimeout(msecs);
}

ClientRequest.prototype.setNoDelay = function setNoDelay(noDelay) {
  this._deferToConnect('setNoDelay', [noDelay]);
};

ClientRequest.prototype.setSocketKeepAlive = function setSocketKeepAlive(enable, initialDelay) {
  this._deferToConnect('setKeepAlive', [enable, initialDelay]);
};

ClientRequest.prototype.clearTimeout = function clearTimeout(callback) {
  this.setTimeout(0, callback);
};

module.exports = { ClientRequest };
