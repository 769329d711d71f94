'use strict';
// A stream of a server: a request that has arrived, and its response.

const { callForLens, lensKeepsStory } = require('internal/async_hooks');
const {
  codes: {
    ERR_HTTP2_HEADERS_AFTER_RESPOND, ERR_HTTP2_HEADERS_SENT, ERR_HTTP2_INVALID_INFO_STATUS,
    ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_NESTED_PUSH, ERR_HTTP2_OUT_OF_STREAMS, ERR_HTTP2_PAYLOAD_FORBIDDEN,
    ERR_HTTP2_PUSH_DISABLED, ERR_HTTP2_STATUS_101, ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE,
  },
} = require('internal/errors');
const channels = require('internal/http2/channels');
const { checkObject } = require('internal/http2/checks');
const { NghttpError } = require('internal/http2/errors');
const {
  getAuthority, joinFields, prepareResponse, responseFromObject,
} = require('internal/http2/fields');
const { Http2Stream } = require('internal/http2/stream');
const {
  kAuthority, kHandle, kInfoHeaders, kInit, kProtocol, kRawHeaders, kRequestWords, kRespondFirst, kSentHeaders,
  kSession, kState,
} = require('internal/http2/symbols');
const { kUpdateTimer } = require('internal/native/stream_handle');
const { validateFunction } = require('internal/validators');

// What C++ knows as http2::Body.
const kNoBody = 0;
const kData = 1;
const kDataAndTrailers = 2;
const NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE = -509;
const NGHTTP2_ERR_STREAM_CLOSED = -510;

function isWithoutPayload(status) {
  return status === 204 || status === 205 || status === 304;
}

function sendResponse(stream, headers, status, body) {
  const fields = joinFields(headers, 'response', stream[kSession]);
  stream[kState].headersSent = true;
  if (body === kNoBody || isWithoutPayload(status) || stream.headRequest) stream.end();
  const result = stream[kHandle].respond(stream.id, fields, body);
  if (result < 0) {
    stream.destroy(new NghttpError(result));
  } else if (channels.server.finish.hasSubscribers) {
    channels.server.finish.publish({ stream, headers, flags: body === kNoBody ? 1 : 0 });
  }
}

class ServerHttp2Stream extends Http2Stream {
  constructor(session, id, options, headers) {
    super(session, options);
    this[kInit](id);
    this[kProtocol] = headers[':scheme'];
    this[kAuthority] = getAuthority(headers);
  }

  get pushAllowed() {
    return !this.destroyed && !this.closed && !this.session.closed && !this.session.destroyed &&
      this.session.remoteSettings.enablePush;
  }

  // ---- Responses ----

  respond(headersParam, options) {
    checkCanRespond(this);
    checkObject(options, 'options');
    options ??= {};
    this[kUpdateTimer]();
    const endStream = Boolean(options.endStream);
    if (options.waitForTrailers) this[kState].hasTrailers = true;
    const { headers, status } = prepareResponse(headersParam, options);
    this[Array.isArray(headersParam) ? kRawHeaders : kSentHeaders] = headers;
    const body = endStream ? kNoBody : options.waitForTrailers ? kDataAndTrailers : kData;
    if (lensKeepsStory()) {
      callForLens('HTTPRESPONSE', `response ${status} to ${this[kRequestWords]}`,
        () => sendResponse(this, headers, status, body));
    } else {
      sendResponse(this, headers, status, body);
    }
  }

  respondWithFD(fd, headersParam, options) {
    checkCanRespond(this);
    options = fileOptions(options);
    if (options.waitForTrailers) this[kState].hasTrailers = true;
    const { FileHandle } = require('internal/fs/promises');
    if (fd instanceof FileHandle) ({ fd } = fd);
    else if (typeof fd !== 'number') throw new ERR_INVALID_ARG_TYPE('fd', ['number', 'FileHandle'], fd);
    this[kUpdateTimer]();
    const headers = fileHeaders(this, headersParam, options);
    require('internal/http2/file_response').respondWithFD(this, fd, headers, options);
  }

  respondWithFile(path, headersParam, options) {
    checkCanRespond(this);
    options = fileOptions(options);
    if (options.waitForTrailers) this[kState].hasTrailers = true;
    this[kUpdateTimer]();
    const headers = fileHeaders(this, headersParam, options);
    require('internal/http2/file_response').respondWithFile(this, path, headers, options);
  }

  additionalHeaders(headers) {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (this.headersSent) throw new ERR_HTTP2_HEADERS_AFTER_RESPOND();
    checkObject(headers, 'headers');
    headers = Object.assign({ __proto__: null }, headers);
    if (headers[':status'] != null) {
      const status = headers[':status'] |= 0;
      if (status === 101) throw new ERR_HTTP2_STATUS_101();
      if (status < 100 || status >= 200) throw new ERR_HTTP2_INVALID_INFO_STATUS(status);
    }
    this[kUpdateTimer]();
    const fields = joinFields(headers, 'response', this[kSession]);
    if (this[kInfoHeaders]) this[kInfoHeaders].push(headers);
    else this[kInfoHeaders] = [headers];
    const result = this[kHandle].inform(this.id, fields);
    if (result < 0) this.destroy(new NghttpError(result));
  }

  // ---- Pushing ----

  pushStream(headers, options, callback) {
    if (!this.pushAllowed) throw new ERR_HTTP2_PUSH_DISABLED();
    if (this.id % 2 === 0) throw new ERR_HTTP2_NESTED_PUSH();
    const session = this[kSession];
    this[kUpdateTimer]();
    if (typeof options === 'function') {
      callback = options;
      options = undefined;
    }
    validateFunction(callback, 'callback');
    checkObject(options, 'options');
    options = { ...options };
    options.endStream = Boolean(options.endStream);
    checkObject(headers, 'headers');
    headers = Object.assign({ __proto__: null }, headers);
    if (headers[':method'] === undefined) headers[':method'] = 'GET';
    if (getAuthority(headers) === undefined) headers[':authority'] = this[kAuthority];
    if (headers[':scheme'] === undefined) headers[':scheme'] = this[kProtocol];
    if (headers[':path'] === undefined) headers[':path'] = '/';
    const isHead = headers[':method'] === 'HEAD';
    if (isHead) options.endStream = true;

    const id = this[kHandle].push(this.id, joinFields(headers, 'request', session), options.endStream);
    if (id < 0) {
      process.nextTick(callback, pushError(id));
      return;
    }
    const stream = new ServerHttp2Stream(session, id, options, headers);
    stream[kSentHeaders] = headers;
    stream.push(null);
    if (options.endStream) stream.end();
    if (isHead) stream[kState].headRequest = true;
    process.nextTick(() => {
      if (channels.server.start.hasSubscribers) channels.server.start.publish({ stream, headers });
      callback(null, stream, headers, 0);
    });
    if (channels.server.created.hasSubscribers) channels.server.created.publish({ stream, headers });
  }
}

ServerHttp2Stream.prototype[kRespondFirst] = ServerHttp2Stream.prototype.respond;

function checkCanRespond(stream) {
  if (stream.destroyed || stream.closed) throw new ERR_HTTP2_INVALID_STREAM();
  if (stream.headersSent) throw new ERR_HTTP2_HEADERS_SENT();
}

function pushError(status) {
  switch (status) {
    case NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE: return new ERR_HTTP2_OUT_OF_STREAMS();
    case NGHTTP2_ERR_STREAM_CLOSED: return new ERR_HTTP2_INVALID_STREAM();
    default: return new NghttpError(status);
  }
}

// ---- Files ----

function fileOptions(options) {
  checkObject(options, 'options');
  options = { ...options };
  for (const [name, type] of [['offset', 'number'], ['length', 'number'], ['statCheck', 'function']]) {
    const value = options[name];
    if (value !== undefined && typeof value !== type) throw new ERR_INVALID_ARG_VALUE(`options.${name}`, value);
  }
  return options;
}

function fileHeaders(stream, given, options) {
  const { headers, status } = responseFromObject(given, options);
  if (isWithoutPayload(status) || stream.headRequest) throw new ERR_HTTP2_PAYLOAD_FORBIDDEN(status);
  return headers;
}

module.exports = { ServerHttp2Stream };
