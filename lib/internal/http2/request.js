'use strict';
// Http2ServerRequest: a request as the listeners of 'request' know it from node:http.

const { Readable } = require('stream');
const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { getAuthority } = require('internal/http2/fields');
const { proxyOfStream } = require('internal/http2/socket_proxy');
const { kProxySocket, kRequest } = require('internal/http2/symbols');
const { validateString } = require('internal/validators');

const kAborted = Symbol('aborted');
const kHeaders = Symbol('headers');
const kRawHeaders = Symbol('rawHeaders');
const kRawTrailers = Symbol('rawTrailers');
const kState = Symbol('state');
const kStream = Symbol('stream');
const kTrailers = Symbol('trailers');

class Http2ServerRequest extends Readable {
  constructor(stream, headers, options, rawHeaders) {
    super({ autoDestroy: false, ...options });
    this[kState] = { closed: false, didRead: false };
    this[kHeaders] = headers;
    this[kRawHeaders] = rawHeaders;
    this[kTrailers] = {};
    this[kRawTrailers] = [];
    this[kStream] = stream;
    this[kAborted] = false;
    stream[kProxySocket] = null;
    stream[kRequest] = this;
    stream.on('trailers', onTrailers);
    stream.on('end', onEnd);
    stream.on('error', onError);
    stream.on('aborted', onAborted);
    stream.on('close', onClose);
    stream.on('timeout', onTimeout);
    this.on('pause', onPause);
    this.on('resume', onResume);
  }

  get aborted() {
    return this[kAborted];
  }

  get complete() {
    return this[kAborted] || this.readableEnded || this[kState].closed || this[kStream].destroyed;
  }

  get stream() {
    return this[kStream];
  }

  get headers() {
    return this[kHeaders];
  }

  get rawHeaders() {
    return this[kRawHeaders];
  }

  get trailers() {
    return this[kTrailers];
  }

  get rawTrailers() {
    return this[kRawTrailers];
  }

  get httpVersionMajor() {
    return 2;
  }

  get httpVersionMinor() {
    return 0;
  }

  get httpVersion() {
    return '2.0';
  }

  get socket() {
    const stream = this[kStream];
    if (stream[kProxySocket] === null) stream[kProxySocket] = proxyOfStream(stream);
    return stream[kProxySocket];
  }

  get connection() {
    return this.socket;
  }

  get method() {
    return this[kHeaders][':method'];
  }

  set method(method) {
    validateString(method, 'method');
    if (method.trim() === '') throw new ERR_INVALID_ARG_VALUE('method', method);
    this[kHeaders][':method'] = method;
  }

  get authority() {
    return getAuthority(this[kHeaders]);
  }

  get scheme() {
    return this[kHeaders][':scheme'];
  }

  get url() {
    return this[kHeaders][':path'];
  }

  set url(url) {
    this[kHeaders][':path'] = url;
  }

  _read() {
    const state = this[kState];
    if (!state.didRead) {
      state.didRead = true;
      this[kStream].on('data', onData);
    } else {
      process.nextTick(resume, this[kStream]);
    }
  }

  setTimeout(msecs, callback) {
    if (!this[kState].closed) this[kStream].setTimeout(msecs, callback);
    return this;
  }
}

function resume(stream) {
  stream.resume();
}

// ---- Listeners of the request ----

function onPause() {
  this[kStream].pause();
}

function onResume() {
  this[kStream].resume();
}

// ---- Listeners of the stream. It has no request any more when it is closed ----

function onData(chunk) {
  const request = this[kRequest];
  if (request && !request.push(chunk)) this.pause();
}

function onTrailers(trailers, flags, rawTrailers) {
  const request = this[kRequest];
  if (!request) return;
  Object.assign(request[kTrailers], trailers);
  request[kRawTrailers].push(...rawTrailers);
}

function onEnd() {
  this[kRequest]?.push(null);
}

// Requests and responses have no errors of their stream's.
function onError() {}

function onAborted() {
  const request = this[kRequest];
  if (!request || request[kState].closed) return;
  request[kAborted] = true;
  request.emit('aborted');
}

function onTimeout() {
  this[kRequest]?.emit('timeout');
}

function onClose() {
  const request = this[kRequest];
  if (!request) return;
  const state = request[kState];
  state.closed = true;
  request.push(null);
  // A body that is not read.
  if (!state.didRead && !request._readableState.resumeScheduled) request.resume();
  this[kProxySocket] = null;
  this[kRequest] = undefined;
  request.emit('close');
}

module.exports = { Http2ServerRequest };
