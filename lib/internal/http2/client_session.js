'use strict';
// The client's side of a connection, and its streams: requests, and what the server pushes.

const { AsyncResource } = require('async_hooks');
const { addAbortListener } = require('internal/events/abort_listener');
const {
  AbortError,
  codes: {
    ERR_HTTP2_GOAWAY_SESSION, ERR_HTTP2_INVALID_SESSION, ERR_HTTP2_OUT_OF_STREAMS,
    ERR_HTTP2_STREAM_SELF_DEPENDENCY,
  },
} = require('internal/errors');
const channels = require('internal/http2/channels');
const { checkObject } = require('internal/http2/checks');
const { NGHTTP2_SESSION_CLIENT } = require('internal/http2/constants');
const { NghttpError } = require('internal/http2/errors');
const { isPayloadMeaningless, prepareRequest } = require('internal/http2/fields');
const { Http2Session } = require('internal/http2/session');
const { Http2Stream } = require('internal/http2/stream');
const {
  kHandle, kInit, kOpenStream, kOrigin, kRawHeaders, kRequestResource, kSentHeaders, kSession, kState,
} = require('internal/http2/symbols');
const { kUpdateTimer } = require('internal/native/stream_handle');
const { deprecate } = require('internal/util');
const { validateAbortSignal, validateBoolean, validateNumber } = require('internal/validators');

const kNoBody = 0;
const kData = 1;
const kDataAndTrailers = 2;
const NGHTTP2_ERR_INVALID_ARGUMENT = -501;
const NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE = -509;

class ClientHttp2Stream extends Http2Stream {
  constructor(session, id, options) {
    super(session, options);
    this[kState].headersSent = true;
    if (id !== undefined) this[kInit](id);
    this.on('headers', onInformation);
  }
}

function onInformation(headers) {
  if (headers[':status'] === 100) this.emit('continue');
}

class ClientHttp2Session extends Http2Session {
  #waiting = null; // requests that were made before the connection

  constructor(options, socket) {
    super(NGHTTP2_SESSION_CLIENT, options, socket);
  }

  [kOpenStream](id) {
    return new ClientHttp2Stream(this, id, {});
  }

  request(headersParam, options) {
    // The stream reports that the session is over: a retry in a callback must not throw.
    let failure;
    if (this.destroyed) failure = new ERR_HTTP2_INVALID_SESSION();
    else if (this.closed) failure = new ERR_HTTP2_GOAWAY_SESSION();
    this[kUpdateTimer]();
    const request = prepareRequest(headersParam, this);
    options = requestOptions(options, request.method);

    const stream = new ClientHttp2Stream(this, undefined, {});
    stream[kSentHeaders] = request.headers;
    stream[kRawHeaders] = request.rawHeaders;
    stream[kOrigin] = `${request.scheme}://${request.authority}`;
    const resource = new AsyncResource('PendingRequest');
    stream[kRequestResource] = resource;
    if (options.endStream) stream.end();
    if (options.waitForTrailers) stream[kState].hasTrailers = true;
    if (options.signal) heed(options.signal, stream);

    if (failure) {
      process.nextTick(resource.bind(() => stream.destroy(failure)));
    } else {
      const send = resource.bind(() => sendRequest(stream, request.fields, options));
      if (this.connecting) this.#sendLater(send);
      else send();
    }
    if (channels.client.created.hasSubscribers) {
      channels.client.created.publish({ stream, headers: stream.sentHeaders });
    }
    return stream;
  }

  #sendLater(send) {
    if (this.#waiting !== null) {
      this.#waiting.push(send);
      return;
    }
    this.#waiting = [send];
    this.once('connect', () => {
      const waiting = this.#waiting;
      for (let i = 0; i < waiting.length; i++) waiting[i]();
      this.#waiting = null;
    });
  }
}

const warnOfWeight = deprecate(() => {}, 'Priority signaling has been deprecated as of RFC 9113.', 'DEP0194');

function requestOptions(options, method) {
  checkObject(options, 'options');
  options = { ...options };
  if ('weight' in options) warnOfWeight();
  if (options.parent !== undefined) validateNumber(options.parent, 'options.parent', 0);
  for (const name of ['exclusive', 'silent']) {
    if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
  }
  if (options.endStream === undefined) options.endStream = isPayloadMeaningless(method);
  else validateBoolean(options.endStream, 'options.endStream');
  return options;
}

function heed(signal, stream) {
  validateAbortSignal(signal, 'options.signal');
  const abort = () => stream.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    abort();
    return;
  }
  const disposable = addAbortListener(signal, abort);
  stream.once('close', disposable[Symbol.dispose]);
}

// The session is connected.
function sendRequest(stream, fields, options) {
  const session = stream[kSession];
  if (session === undefined || session.destroyed) return; // and the stream with it
  if (session.closed) {
    stream.destroy(new ERR_HTTP2_GOAWAY_SESSION());
    return;
  }
  let body = options.waitForTrailers ? kDataAndTrailers : kData;
  if (options.endStream) body = kNoBody;
  const id = session[kHandle].request(fields, body);
  if (id > 0) {
    stream[kInit](id);
    if (channels.client.start.hasSubscribers) {
      channels.client.start.publish({ stream, headers: stream.sentHeaders });
    }
  } else if (id === NGHTTP2_ERR_STREAM_ID_NOT_AVAILABLE) {
    stream.destroy(new ERR_HTTP2_OUT_OF_STREAMS());
  } else if (id === NGHTTP2_ERR_INVALID_ARGUMENT) {
    stream.destroy(new ERR_HTTP2_STREAM_SELF_DEPENDENCY());
  } else {
    session.destroy(new NghttpError(id));
  }
}

module.exports = { ClientHttp2Session };
