'use strict';
// Servers: sessions on the sockets that a server of node:net or node:tls accepts.

const EventEmitter = require('events');
const net = require('net');
const tls = require('tls');
const {
  Server: HttpServer, _connectionListener: http1Connection, httpServerPreClose, setupConnectionsTracking,
  storeHTTPOptions,
} = require('_http_server');
const { checkObject, checkSettings, serverOptions, withProtocols } = require('internal/http2/checks');
const { ServerHttp2Session } = require('internal/http2/server_session');
const { kOptions, kServer, kSessions } = require('internal/http2/symbols');
const STATUS_CODES = require('internal/http/status_codes');
const { promisify } = require('internal/util');
const { validateFunction } = require('internal/validators');

// ---- Connections ----

function onConnection(socket) {
  const options = this[kOptions];
  if (socket.alpnProtocol === false || socket.alpnProtocol === 'http/1.1') {
    if (options.allowHTTP1 === true) Reflect.apply(http1Connection, this, [socket]);
    else refuse(this, socket, options);
    return;
  }
  const session = new ServerHttp2Session(options, socket, this);
  session.on('stream', onStream);
  session.on('error', onError);
  if (this.listenerCount('priority') > 0) session.on('priority', onPriority);
  if (this.timeout) session.setTimeout(this.timeout, onTimeout);
  socket[kServer] = this;
  this.emit('session', session);
}

// The client does not speak HTTP/2: a listener takes it, or it gets a response that it may understand.
function refuse(server, socket, { unknownProtocolTimeout }) {
  if (server.emit('unknownProtocol', socket)) return;
  const timer = setTimeout(() => {
    if (!socket.destroyed) socket.destroy();
  }, unknownProtocolTimeout).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end('HTTP/1.0 403 Forbidden\r\n' +
    'Content-Type: text/plain\r\n\r\n' +
    'Missing ALPN Protocol, expected `h2` to be available.\n' +
    'If this is a HTTP request: The server was not configured with the `allowHTTP1` option or a listener for the ' +
    '`unknownProtocol` event.\n');
}

// ---- Listeners of sessions ----

function onStream(stream, headers, flags, rawHeaders) {
  this[kServer]?.emit('stream', stream, headers, flags, rawHeaders);
}

function onPriority(stream, parent, weight, exclusive) {
  this[kServer]?.emit('priority', stream, parent, weight, exclusive);
}

function onError(error) {
  this[kServer]?.emit('sessionError', error, this);
}

function onTimeout() {
  if (this.destroyed || this.closed) return;
  if (!this[kServer].emit('timeout', this)) this.destroy();
}

// ---- Requests and responses as in node:http, from the first listener for 'request' on ----

function onNewListener(event) {
  if (event !== 'request') return;
  this.removeListener('newListener', onNewListener);
  this.on('stream', onRequestStream);
}

function onRequestStream(stream, headers, flags, rawHeaders) {
  const { Http2ServerRequest, Http2ServerResponse } = this[kOptions];
  const request = new Http2ServerRequest(stream, headers, undefined, rawHeaders);
  const response = new Http2ServerResponse(stream);
  if (headers[':method'] === 'CONNECT') {
    if (!this.emit('connect', request, response)) answer(response, 405);
  } else if (headers.expect === undefined) {
    this.emit('request', request, response);
  } else if (headers.expect === '100-continue') {
    if (this.listenerCount('checkContinue') > 0) {
      this.emit('checkContinue', request, response);
    } else {
      response.writeContinue();
      this.emit('request', request, response);
    }
  } else if (!this.emit('checkExpectation', request, response)) {
    answer(response, 417);
  }
}

function answer(response, status) {
  response.statusCode = status;
  response.end();
}

// ---- Both kinds of servers ----

function initServer(server, options, requestListener) {
  server[kOptions] = options;
  server[kSessions] = new Set();
  server.timeout = 0;
  server.on('newListener', onNewListener);
  if (typeof requestListener === 'function') server.on('request', requestListener);
}

function closeSessions(server) {
  for (const session of server[kSessions]) session.close();
}

const shared = {
  setTimeout(msecs, callback) {
    this.timeout = msecs;
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.on('timeout', callback);
    }
    return this;
  },

  updateSettings(settings) {
    checkObject(settings, 'settings');
    checkSettings(settings);
    this[kOptions].settings = { ...this[kOptions].settings, ...settings };
  },
};

class Http2Server extends net.Server {
  constructor(options, requestListener) {
    options = serverOptions(options);
    super(options, onConnection);
    initServer(this, options, requestListener);
  }

  close(...args) {
    Reflect.apply(net.Server.prototype.close, this, args);
    closeSessions(this);
  }

  async [Symbol.asyncDispose]() {
    await promisify(super.close).call(this);
  }
}

class Http2SecureServer extends tls.Server {
  constructor(options, requestListener) {
    options = withProtocols(serverOptions(options));
    super(options, onConnection);
    initServer(this, options, requestListener);
    if (options.allowHTTP1 === true) {
      Reflect.apply(storeHTTPOptions, this, [{ ...options, ...options.http1Options }]);
      this.shouldUpgradeCallback = function() {
        return this.listenerCount('upgrade') > 0;
      };
      this.on('listening', setupConnectionsTracking);
    }
    this.on('tlsClientError', onClientError);
  }

  close(...args) {
    Reflect.apply(tls.Server.prototype.close, this, args);
    if (this[kOptions].allowHTTP1 === true) httpServerPreClose(this);
    closeSessions(this);
  }

  closeIdleConnections() {
    if (this[kOptions].allowHTTP1 === true) Reflect.apply(HttpServer.prototype.closeIdleConnections, this, []);
  }
}

for (const Server of [Http2Server, Http2SecureServer]) {
  for (const name of Object.keys(shared)) {
    Object.defineProperty(Server.prototype, name, {
      __proto__: null, value: shared[name], writable: true, configurable: true, enumerable: false,
    });
  }
}

function onClientError(error, socket) {
  if (!this.emit('clientError', error, socket)) socket.destroy(error);
}

// With captureRejections: what a listener's promise is rejected with is answered with 500.
Http2Server.prototype[EventEmitter.captureRejectionSymbol] = function(error, event, ...args) {
  if (event === 'stream') {
    const [stream] = args;
    if (stream.sentHeaders) {
      stream.destroy(error);
    } else {
      stream.respond({ ':status': 500 });
      stream.end();
    }
  } else if (event === 'request') {
    const [, response] = args;
    if (response.headersSent || response.finished) {
      response.destroy();
    } else {
      for (const name of response.getHeaderNames()) response.removeHeader(name);
      response.statusCode = 500;
      response.end(STATUS_CODES[500]);
    }
  } else {
    Reflect.apply(net.Server.prototype[EventEmitter.captureRejectionSymbol], this, [error, event, ...args]);
  }
};

function createServer(options, handler) {
  if (typeof options === 'function') return new Http2Server({}, options);
  return new Http2Server(options, handler);
}

function createSecureServer(options, handler) {
  return new Http2SecureServer(options, handler);
}

// A session on a socket that some other server has accepted.
function performServerHandshake(socket, options = {}) {
  return new ServerHttp2Session(serverOptions(options), socket, undefined);
}

module.exports = { createSecureServer, createServer, performServerHandshake };
