'use strict';
// Http2Stream: a Duplex that is one stream of a session.
//
// A stream of a client has no id until the session is connected: what is written waits, the stream is corked. From
// kInit() on, the stream is known to C++ by its id, and session[kHandle] takes its data; until kHandle of the stream
// is undefined again. One write at a time is in progress.

const { Duplex } = require('stream');
const { format } = require('internal/util/inspect');
const { async_id_symbol, initResource } = require('internal/async_hooks');
const {
  AbortError,
  codes: {
    ERR_HTTP2_INVALID_STREAM, ERR_HTTP2_STREAM_ERROR, ERR_HTTP2_TRAILERS_ALREADY_SENT,
    ERR_HTTP2_TRAILERS_NOT_READY,
  },
} = require('internal/errors');
const channels = require('internal/http2/channels');
const { checkObject } = require('internal/http2/checks');
const constants = require('internal/http2/constants');
const { debugStream } = require('internal/http2/debug');
const { NghttpError } = require('internal/http2/errors');
const { joinFields, sentFromArray } = require('internal/http2/fields');
const performance = require('internal/http2/performance');
const {
  kHandle, kInfoHeaders, kInit, kMaybeDestroy, kProxySocket, kRawHeaders, kRequest, kRespondFirst, kSentHeaders,
  kSentTrailers, kSession, kState, kType,
} = require('internal/http2/symbols');
const { Socket, kTimeout } = require('internal/net/socket');
const { kUpdateTimer } = require('internal/native/stream_handle');
const { deprecate } = require('internal/util');
const { validateFunction, validateInteger } = require('internal/validators');

const { NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_SESSION_CLIENT } = constants;
const kMaxCode = 2 ** 32 - 1;
const kID = Symbol('id');

// What closeStream() does about the peer.
const kTellNobody = 0;
const kReset = 1; // when what was written is gone
const kResetAtOnce = 2;

const kCodeNames = new Map();
for (const name of [
  'NO_ERROR', 'PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FLOW_CONTROL_ERROR', 'SETTINGS_TIMEOUT', 'STREAM_CLOSED',
  'FRAME_SIZE_ERROR', 'REFUSED_STREAM', 'CANCEL', 'COMPRESSION_ERROR', 'CONNECT_ERROR', 'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY', 'HTTP_1_1_REQUIRED',
]) {
  kCodeNames.set(constants[`NGHTTP2_${name}`], `NGHTTP2_${name}`);
}

class StreamState {
  didRead = false;
  closed = false;
  aborted = false;
  headersSent = false;
  headRequest = false;
  hasTrailers = false; // that are still to be sent
  trailersReady = false;
  endAfterHeaders = false;
  rstCode = NGHTTP2_NO_ERROR;
  writeQueueSize = 0;
  // The current write: it is done when the bytes are gone and the end was looked for.
  writeCallback = null;
  writeSize = 0;
  writePending = 0;
  writeError = null;
  isShut = false; // the writable side
  file = null; // a FileResponse that is sent
}

class Http2Stream extends Duplex {
  constructor(session, options) {
    options.allowHalfOpen = true;
    options.decodeStrings = false;
    options.autoDestroy = false;
    super(options);
    this[async_id_symbol] = -1;
    this.cork();
    this[kSession] = session;
    this[kHandle] = undefined;
    this[kID] = undefined;
    session[kState].pendingStreams.add(this);
    // Nothing is read before the program asks: `didRead`.
    this._readableState.readingMore = true;
    this[kTimeout] = null;
    this[kState] = new StreamState();
    this[kRequest] = null;
    this[kProxySocket] = null;
    this.on('pause', onPause);
  }

  [kUpdateTimer]() {
    if (this.destroyed) return;
    this[kTimeout]?.refresh();
    this[kSession]?.[kUpdateTimer]();
  }

  [kInit](id) {
    const session = this[kSession];
    session[kState].pendingStreams.delete(this);
    session[kState].streams.set(id, this);
    this[kID] = id;
    initResource(this, 'HTTP2STREAM');
    this[kHandle] = session[kHandle];
    performance.streamBegins(this, session, session[kState].streams.size);
    this.uncork();
    this.emit('ready');
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth) {
    if (typeof depth === 'number' && depth < 0) return this;
    return `Http2Stream ${format({
      id: this[kID] || '<pending>',
      closed: this.closed,
      destroyed: this.destroyed,
      state: this.state,
      readableState: this._readableState,
      writableState: this._writableState,
    })}`;
  }

  // ---- Facts ----

  get bufferSize() {
    return this[kState].writeQueueSize + this.writableLength;
  }

  get endAfterHeaders() {
    return this[kState].endAfterHeaders;
  }

  get sentHeaders() {
    if (!this[kSentHeaders] && this[kRawHeaders]) this[kSentHeaders] = sentFromArray(this[kRawHeaders]);
    return this[kSentHeaders];
  }

  get sentTrailers() {
    return this[kSentTrailers];
  }

  get sentInfoHeaders() {
    return this[kInfoHeaders];
  }

  get pending() {
    return this[kID] === undefined;
  }

  get id() {
    return this[kID];
  }

  get session() {
    return this[kSession];
  }

  get headersSent() {
    return this[kState].headersSent;
  }

  get aborted() {
    return this[kState].aborted;
  }

  get headRequest() {
    return this[kState].headRequest;
  }

  get rstCode() {
    return this[kState].rstCode;
  }

  get closed() {
    return this[kState].closed;
  }

  get state() {
    if (this.destroyed || this[kID] === undefined) return {};
    const numbers = new Float64Array(6);
    this[kHandle].streamState(this[kID], numbers);
    const [state, weight, sumDependencyWeight, localClose, remoteClose, localWindowSize] = numbers;
    return { state, weight, sumDependencyWeight, localClose, remoteClose, localWindowSize };
  }

  _onTimeout() {
    emitTimeout(this, this[kSession]);
  }

  // ---- Reading ----

  _read() {
    if (this.destroyed) {
      this.push(null);
      return;
    }
    const state = this[kState];
    if (!state.didRead) {
      this._readableState.readingMore = false;
      state.didRead = true;
    }
    if (this.pending) this.once('ready', onResume);
    else onResume.call(this);
  }

  // ---- Writing ----

  _write(data, encoding, callback) {
    this.#dispatch(data, encoding, false, callback);
  }

  _writev(chunks, callback) {
    this.#dispatch(chunks, '', true, callback);
  }

  #dispatch(data, encoding, isList, callback) {
    if (this.pending) { // the program has uncorked it
      this.once('ready', () => this.#dispatch(data, encoding, isList, callback));
      return;
    }
    if (this.destroyed) return;
    this[kUpdateTimer]();
    if (!this.headersSent) this[kRespondFirst]();

    const state = this[kState];
    state.writeCallback = callback;
    state.writeError = null;
    state.writePending = 1;
    if (!state.hasTrailers) {
      // If this is the last write, the frame with its end can end the stream as well.
      state.writePending = 2;
      process.nextTick(shutIfLast, this);
    }
    const size = submitWrite(this, data, encoding, isList);
    state.writeSize = size;
    performance.dataGoes(this, size);
    state.writeQueueSize += size;
    const session = this[kSession];
    session[kState].writeQueueSize += size;
    if (session[kType] === NGHTTP2_SESSION_CLIENT && channels.bodyChunkSent.hasSubscribers) {
      const sent = isList && data.allBuffers ? data.map(({ chunk }) => chunk) : data;
      channels.bodyChunkSent.publish({ stream: this, writev: isList, data: sent, encoding });
    }
  }

  _final(callback) {
    if (this.pending) {
      this.once('ready', () => this._final(callback));
      return;
    }
    shutWritable(this);
    callback();
    if (this[kSession]?.[kType] === NGHTTP2_SESSION_CLIENT && channels.bodySent.hasSubscribers) {
      channels.bodySent.publish({ stream: this });
    }
  }

  sendTrailers(headers) {
    if (this.destroyed || this.closed) throw new ERR_HTTP2_INVALID_STREAM();
    if (this[kSentTrailers]) throw new ERR_HTTP2_TRAILERS_ALREADY_SENT();
    if (!this[kState].trailersReady) throw new ERR_HTTP2_TRAILERS_NOT_READY();
    checkObject(headers, 'headers');
    headers = Object.assign({ __proto__: null }, headers);
    this[kUpdateTimer]();
    const fields = joinFields(headers, 'trailers', this[kSession]);
    this[kSentTrailers] = headers;
    setImmediate(finishTrailers, this, fields);
  }

  // ---- Ending ----

  close(code = NGHTTP2_NO_ERROR, callback) {
    validateInteger(code, 'code', 0, kMaxCode);
    if (callback !== undefined) validateFunction(callback, 'callback');
    if (this.closed) return;
    if (callback !== undefined) this.once('close', callback);
    closeStream(this, code, kReset);
  }

  _destroy(error, callback) {
    const session = this[kSession];
    const state = this[kState];
    const sessionState = session[kState];
    const sessionCode = sessionState.goawayCode || sessionState.destroyCode;
    // A stream that has ended well is not affected by the end of its session.
    let code = this.closed ? this.rstCode : sessionCode;
    if (error != null) {
      if (sessionCode) code = sessionCode;
      else code = error instanceof AbortError ? NGHTTP2_CANCEL : NGHTTP2_INTERNAL_ERROR;
    }
    debugStream(this, 'destroying stream');
    const handle = this[kHandle];
    if (!this.closed) closeStream(this, code, handle !== undefined ? kResetAtOnce : kTellNobody);
    this.push(null);

    if (handle !== undefined) {
      handle.forget(this[kID]);
      performance.streamEnds(this, session, this[kID]);
      sessionState.streams.delete(this[kID]);
    } else {
      sessionState.pendingStreams.delete(this);
    }
    sessionState.writeQueueSize -= state.writeQueueSize;
    state.writeQueueSize = 0;
    state.file?.stop();
    this[kSession] = undefined;
    this[kHandle] = undefined;

    // 'aborted' reports that the peer has cancelled it.
    if (error == null && code !== NGHTTP2_NO_ERROR && code !== NGHTTP2_CANCEL) {
      error = new ERR_HTTP2_STREAM_ERROR(kCodeNames.get(code) || code);
    }
    // What is still to be reported of the stream comes before the end of its session.
    setImmediate(afterDestroy, session);
    if (error) {
      const { error: channel } = channelsFor(session);
      if (channel.hasSubscribers) channel.publish({ stream: this, error });
    }
    settleWrite(state, error);
    callback(error);
  }

  [kMaybeDestroy](code = NGHTTP2_NO_ERROR) {
    if (code !== NGHTTP2_NO_ERROR) {
      this.destroy();
      return;
    }
    if (!this.writableFinished) return;
    if (!this.readable && this.closed) {
      this.destroy();
      return;
    }
    // A server that has answered without a look at the request's body is done with it: but first, what it
    // pushes has to get through.
    const state = this[kState];
    if (state.headersSent && this[kSession] && this[kSession][kType] !== NGHTTP2_SESSION_CLIENT &&
        !state.hasTrailers && !state.didRead && this.readableFlowing === null) {
      setImmediate(closeLater, this);
    }
  }
}

// The session's timeout is restarted, and so comes after the stream's: of two for the same write, only the first one that
// looks finds progress.
Http2Stream.prototype.setTimeout = function setStreamTimeout(msecs, callback) {
  Reflect.apply(Socket.prototype.setTimeout, this, [msecs, callback]);
  if (this[kTimeout] !== null) this[kSession]?.[kUpdateTimer]();
  return this;
};

Http2Stream.prototype.priority = deprecate(function priority() {
  if (this.destroyed) throw new ERR_HTTP2_INVALID_STREAM();
}, 'http2Stream.priority is longer supported after priority signalling was deprecated in RFC 9113', 'DEP0194');

function channelsFor(session) {
  return session[kType] === NGHTTP2_SESSION_CLIENT ? channels.client : channels.server;
}

// A time-out counts only if no write has made progress meanwhile.
function emitTimeout(emitter, session) {
  if (emitter.destroyed) return;
  const handle = session?.[kHandle];
  if (emitter[kState].writeQueueSize > 0 && handle !== undefined) {
    const sessionState = session[kState];
    const count = handle.writeCount();
    const before = sessionState.writesSeen;
    sessionState.writesSeen = count;
    if (before !== count) {
      emitter[kUpdateTimer]();
      return;
    }
  }
  emitter.emit('timeout');
}

// ---- Reading ----

function onResume() {
  if (!this.destroyed) this[kHandle].setReading(this[kID], true);
}

function onPause() {
  if (!this.destroyed && !this.pending) this[kHandle].setReading(this[kID], false);
}

// ---- Writing ----

function submitWrite(stream, data, encoding, isList) {
  const handle = stream[kHandle];
  const id = stream[kID];
  let size;
  let isOpen;
  if (isList) {
    const views = data.map(({ chunk, encoding: its }) => {
      return typeof chunk === 'string' ? Buffer.from(chunk, its) : chunk;
    });
    size = views.reduce((sum, { byteLength }) => sum + byteLength, 0);
    isOpen = handle.writeAll(id, views);
  } else if (typeof data === 'string') {
    const isLatin1 = encoding === 'latin1' || encoding === 'binary';
    if (isLatin1 || encoding === 'utf8' || encoding === 'utf-8') {
      size = isLatin1 ? data.length : Buffer.byteLength(data);
      isOpen = handle.write(id, data, isLatin1);
    } else {
      const bytes = Buffer.from(data, encoding);
      size = bytes.length;
      isOpen = handle.write(id, bytes);
    }
  } else {
    size = data.byteLength;
    isOpen = handle.write(id, data);
  }
  // It is over: the waiting write is completed.
  if (!isOpen) process.nextTick(finishWrite, stream);
  return size;
}

function finishWrite(stream) {
  const state = stream[kState];
  if (state.writePending === 0 || --state.writePending > 0) return;
  const callback = state.writeCallback;
  const error = state.writeError;
  state.writeCallback = null;
  state.writeError = null;
  if (error) stream.destroy(error);
  callback(error);
}

// Of C++: the write is gone.
function onWritten(stream) {
  const state = stream[kState];
  if (state.file !== null) {
    state.file.next();
    return;
  }
  state.writeQueueSize -= state.writeSize;
  const session = stream[kSession];
  if (session !== undefined) session[kState].writeQueueSize -= state.writeSize;
  state.writeSize = 0;
  stream[kUpdateTimer]();
  finishWrite(stream);
}

function shutIfLast(stream) {
  const state = stream[kState];
  if (!state.writeError && stream._writableState.ending && stream._writableState.buffered.length === 0 &&
      !state.hasTrailers) {
    shutWritable(stream);
  }
  finishWrite(stream);
}

function shutWritable(stream) {
  const state = stream[kState];
  if (stream[kHandle] === undefined || state.isShut) return;
  state.isShut = true;
  stream[kHandle].end(stream[kID]);
  stream.on('finish', stream[kMaybeDestroy]);
}

function finishTrailers(stream, fields) {
  if (stream.destroyed) return;
  stream[kState].hasTrailers = false;
  const status = stream[kHandle].sendTrailers(stream[kID], fields);
  if (status < 0) stream.destroy(new NghttpError(status));
  else stream[kMaybeDestroy]();
}

// ---- Ending ----

function closeLater(stream) {
  stream.close();
}

function afterDestroy(session) {
  session[kMaybeDestroy]();
}

// A write that has not gone, or not wholly, is over before the stream is.
function settleWrite(state, error) {
  const { writeCallback } = state;
  if (state.writePending === 0 || writeCallback === null) return;
  state.writePending = 0;
  state.writeCallback = null;
  writeCallback(error ?? null);
}

function closeStream(stream, code, how) {
  const state = stream[kState];
  const session = stream[kSession];
  state.closed = true;
  state.rstCode = code;
  stream.setTimeout(0);
  stream.removeAllListeners('timeout');
  const { ending } = stream._writableState;
  if (!ending) {
    if (!state.aborted) {
      state.aborted = true;
      stream.emit('aborted');
    }
    stream.end();
  }
  if (how !== kTellNobody) {
    const reset = () => resetStream(stream, code);
    if (!ending || stream.writableFinished || code !== NGHTTP2_NO_ERROR || how === kResetAtOnce) reset();
    else stream.once('finish', reset);
  }
  const { close: channel } = channelsFor(session);
  if (channel.hasSubscribers) channel.publish({ stream });
}

function resetStream(stream, code) {
  const send = () => stream[kHandle]?.reset(stream[kID], code);
  if (!stream.pending) {
    send();
    return;
  }
  stream.push(null);
  stream.once('ready', send);
}

// Of C++: the stream is over, for both sides.
function onClosed(stream, code, peerReset) {
  debugStream(stream, 'closed with code %d, closed %s, readable %s', code, stream.closed, stream.readable);
  if (!stream.closed) closeStream(stream, code, kTellNobody);
  const state = stream[kState];
  state.file?.stop();
  if (!stream.readable || code !== NGHTTP2_NO_ERROR) {
    stream.destroy();
    return;
  }
  // What has arrived is the program's first.
  // A peer that has reset the stream may take nothing of what waits to be written.
  stream.on('end', peerReset ? () => stream.destroy() : stream[kMaybeDestroy]);
  stream.push(null);
  if (stream[kSession][kType] !== NGHTTP2_SESSION_CLIENT && !state.didRead && stream.readableFlowing === null) {
    stream.resume(); // it does not want any of it
  } else {
    stream.read(0);
  }
}

// Of C++: all data is gone; trailers may follow.
function onWantsTrailers(stream) {
  stream[kState].trailersReady = true;
  if (stream.destroyed || stream.closed) return;
  if (!stream.emit('wantTrailers')) stream.sendTrailers({});
}

module.exports = {
  Http2Stream,
  channelsFor,
  emitTimeout,
  kID,
  onClosed,
  onWantsTrailers,
  onWritten,
};
