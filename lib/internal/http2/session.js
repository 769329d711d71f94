'use strict';
// Http2Session: a connection, on a socket that belongs to it from then on. C++ reads and writes the socket
// (src/runtime/http2/http2_session.cpp) and reports what arrives (native_events.js).
//
// A session is pending until the socket is connected, then ready; close() lets the streams finish, destroy() ends all.

const EventEmitter = require('events');
const tls = require('tls');
const { async_id_symbol, callInContext, emitDestroy, initResource } = require('internal/async_hooks');
const {
  codes: {
    ERR_HTTP2_INVALID_SESSION, ERR_HTTP2_MAX_PENDING_SETTINGS_ACK, ERR_HTTP2_NO_MEM, ERR_HTTP2_PING_CANCEL,
    ERR_HTTP2_PING_LENGTH, ERR_HTTP2_SESSION_ERROR, ERR_HTTP2_SETTINGS_CANCEL, ERR_HTTP2_SOCKET_BOUND,
    ERR_HTTP2_STREAM_CANCEL, ERR_OUT_OF_RANGE, ERR_SOCKET_CLOSED,
  },
} = require('internal/errors');
const { checkObject, checkSettings } = require('internal/http2/checks');
const constants = require('internal/http2/constants');
const { debugSession } = require('internal/http2/debug');
const { makeHandle } = require('internal/http2/native_events');
const { originsOf } = require('internal/http2/origins');
const { numbersOf, outstandingOf } = require('internal/http2/options');
const {
  checkCustomIds, customOf, numbersOf: settingNumbers, settingsOf, toPairs,
} = require('internal/http2/settings');
const performance = require('internal/http2/performance');
const { proxyOfSession } = require('internal/http2/socket_proxy');
const { emitTimeout } = require('internal/http2/stream');
const {
  kBoundSession, kHandle, kMaybeDestroy, kProxySocket, kServer, kSessions, kSocket, kState,
  kStrictSingleValueFields, kType,
} = require('internal/http2/symbols');
const { format } = require('internal/util/inspect');
const { WantedEvents } = require('internal/native/enums');
const { Socket, kTimeout } = require('internal/net/socket');
const { kUpdateTimer } = require('internal/native/stream_handle');
const { validateBuffer, validateFunction, validateInt32, validateNumber } = require('internal/validators');

const {
  NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_NO_ERROR, NGHTTP2_SESSION_SERVER,
} = constants;
const NGHTTP2_ERR_NOMEM = -901;
const kMaxStreams = 2 ** 32 - 1;

// What C++ reports only to listeners.
const kWantedEvents = { __proto__: null, ...WantedEvents };

class SessionState {
  ready = false;
  closed = false;
  destroyed = false;
  destroyCode = NGHTTP2_NO_ERROR;
  goawayCode = null;
  goawayLastStreamID = null;
  streams = new Map(); // by id
  pendingStreams = new Set(); // without an id
  writeQueueSize = 0;
  writesSeen = 0; // when a time-out was last looked at
  wanted = 0;
  encrypted = undefined;
  alpnProtocol = undefined;
  originSet = undefined;
  maxOrigins = 128; // that a peer may add to it
  // Settings: ours, theirs, and those of ours that wait for an acknowledgement.
  localSettings = undefined;
  remoteSettings = undefined;
  localCustom = new Map();
  remoteCustom = new Map();
  remoteCustomIds = new Set();
  pendingAck = 0;
  settingsCallbacks = [];
  pings = []; // that wait for an answer
  outstanding = null;
}

class Http2Session extends EventEmitter {
  constructor(type, options, socket) {
    super();
    if (socket[kBoundSession] !== undefined) throw new ERR_HTTP2_SOCKET_BOUND();
    socket[kBoundSession] = this;
    if (!socket._handle || !socket._handle.isStreamBase) {
      const JSStreamSocket = require('internal/js_stream_socket');
      socket = new JSStreamSocket(socket);
      socket[kBoundSession] = this;
    }
    socket.on('error', onSocketError);
    socket.on('close', onSocketClose);

    this[kType] = type;
    this[kSocket] = socket;
    this[kProxySocket] = null;
    this[kHandle] = undefined;
    this[kTimeout] = null;
    this[kStrictSingleValueFields] = options.strictSingleValueFields;
    const state = this[kState] = new SessionState();
    state.outstanding = outstandingOf(options);
    socket.setNoDelay?.();
    socket.disableRenegotiation?.();

    if (socket.connecting || socket.secureConnecting) {
      socket.once(socket instanceof tls.TLSSocket ? 'secureConnect' : 'connect', () => {
        try {
          begin(this, socket, options);
        } catch (error) {
          socket.destroy(error);
        }
      });
    } else {
      begin(this, socket, options);
    }
    this.on('newListener', onListenerAdded);
    this.on('removeListener', onListenerRemoved);
    // On the next tick: a listener for 'remoteSettings' may be added.
    process.nextTick(receiveBuffered, this, socket);
    debugSession(type, 'created');
  }

  [kUpdateTimer]() {
    if (!this.destroyed) this[kTimeout]?.refresh();
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth) {
    if (typeof depth === 'number' && depth < 0) return this;
    return `Http2Session ${format({
      type: this[kType],
      closed: this.closed,
      destroyed: this.destroyed,
      state: this.state,
      localSettings: this.localSettings,
      remoteSettings: this.remoteSettings,
    })}`;
  }

  // ---- Facts ----

  get encrypted() {
    return this[kState].encrypted;
  }

  get alpnProtocol() {
    return this[kState].alpnProtocol;
  }

  get originSet() {
    return !this.encrypted || this.destroyed ? undefined : Array.from(originsOf(this));
  }

  get connecting() {
    return !this[kState].ready;
  }

  get closed() {
    return this[kState].closed;
  }

  get destroyed() {
    return this[kState].destroyed;
  }

  get socket() {
    if (this[kProxySocket] === null) this[kProxySocket] = proxyOfSession(this);
    return this[kProxySocket];
  }

  get type() {
    return this[kType];
  }

  get goawayCode() {
    return this[kState].goawayCode || NGHTTP2_NO_ERROR;
  }

  get goawayLastStreamID() {
    return this[kState].goawayLastStreamID || 0;
  }

  get pendingSettingsAck() {
    return this[kState].pendingAck > 0;
  }

  get state() {
    if (this.connecting || this.destroyed) return {};
    const numbers = new Float64Array(9);
    this[kHandle].state(numbers);
    const [
      effectiveLocalWindowSize, effectiveRecvDataLength, nextStreamID, localWindowSize, lastProcStreamID,
      remoteWindowSize, outboundQueueSize, deflateDynamicTableSize, inflateDynamicTableSize,
    ] = numbers;
    return {
      effectiveLocalWindowSize,
      effectiveRecvDataLength,
      nextStreamID,
      localWindowSize,
      lastProcStreamID,
      remoteWindowSize,
      outboundQueueSize,
      deflateDynamicTableSize,
      inflateDynamicTableSize,
    };
  }

  // ---- Settings ----

  get localSettings() {
    const state = this[kState];
    if (state.localSettings !== undefined) return state.localSettings;
    if (this.destroyed || this.connecting) return {};
    state.localSettings = settingsOf(settingNumbers(this[kHandle], false), state.localCustom);
    return state.localSettings;
  }

  get remoteSettings() {
    const state = this[kState];
    if (state.remoteSettings !== undefined) return state.remoteSettings;
    if (this.destroyed || this.connecting) return {};
    state.remoteSettings = settingsOf(settingNumbers(this[kHandle], true), state.remoteCustom);
    return state.remoteSettings;
  }

  settings(settings, callback) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    checkObject(settings, 'settings');
    checkSettings(settings);
    if (callback) validateFunction(callback, 'callback');
    this[kState].pendingAck++;
    whenReady(this, submitSettings, { ...settings }, callback);
  }

  setLocalWindowSize(windowSize) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    validateInt32(windowSize, 'windowSize', 0);
    if (this[kHandle].setLocalWindowSize(windowSize) === NGHTTP2_ERR_NOMEM) {
      this.destroy(new ERR_HTTP2_NO_MEM());
    }
  }

  setNextStreamID(id) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    validateNumber(id, 'id');
    if (id <= 0 || id > kMaxStreams) throw new ERR_OUT_OF_RANGE('id', `> 0 and <= ${kMaxStreams}`, id);
    this[kHandle].setNextStreamID(id);
  }

  // ---- Frames ----

  ping(payload, callback) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    if (typeof payload === 'function') {
      callback = payload;
      payload = undefined;
    }
    if (payload) {
      validateBuffer(payload, 'payload');
      if (payload.byteLength !== 8) throw new ERR_HTTP2_PING_LENGTH();
    }
    validateFunction(callback, 'callback');
    if (this.connecting || this.closed) {
      process.nextTick(callback, new ERR_HTTP2_PING_CANCEL());
      return undefined;
    }
    return submitPing(this, payload, callback);
  }

  goaway(code = NGHTTP2_NO_ERROR, lastStreamID = 0, opaqueData) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    if (opaqueData !== undefined) validateBuffer(opaqueData, 'opaqueData');
    validateNumber(code, 'code');
    validateNumber(lastStreamID, 'lastStreamID');
    whenReady(this, submitGoaway, code, lastStreamID, opaqueData);
  }

  // ---- Ending ----

  close(callback) {
    if (this.closed || this.destroyed) return;
    debugSession(this[kType], 'marking session closed');
    this[kState].closed = true;
    if (typeof callback === 'function') this.once('close', callback);
    this.goaway();
    this[kHandle]?.closeGracefully();
    this[kMaybeDestroy]();
  }

  destroy(error = NGHTTP2_NO_ERROR, code) {
    if (this.destroyed) return;
    if (typeof error === 'number') {
      code = error;
      error = code !== NGHTTP2_NO_ERROR ? new ERR_HTTP2_SESSION_ERROR(code) : undefined;
    }
    if (code === undefined && error != null) code = NGHTTP2_INTERNAL_ERROR;
    endSession(this, code, error);
  }

  // When it is closed, and the last stream has gone.
  [kMaybeDestroy](error) {
    if (error == null) {
      const { streams, pendingStreams } = this[kState];
      if (!this.closed || streams.size > 0 || pendingStreams.size > 0 || this[kHandle]?.hasPendingData()) {
        return;
      }
    }
    this.destroy(error);
  }

  [EventEmitter.captureRejectionSymbol](error, event, ...args) {
    if (event === 'stream') args[0].destroy(error);
    else this.destroy(error);
  }

  _onTimeout() {
    emitTimeout(this, this);
  }

  ref() {
    this[kSocket]?.ref();
  }

  unref() {
    this[kSocket]?.unref();
  }
}

Http2Session.prototype.setTimeout = Socket.prototype.setTimeout;

// ---- Beginning ----

// The socket is connected.
function begin(session, socket, options) {
  if (session.destroyed) { // those that wait for it look for themselves
    process.nextTick(emitConnect, session, socket);
    return;
  }
  const state = session[kState];
  if (options.remoteCustomSettings) state.remoteCustomIds = checkCustomIds(options.remoteCustomSettings);
  const handle = makeHandle(session, session[kType] !== NGHTTP2_SESSION_SERVER, numbersOf(options));
  initResource(handle, 'HTTP2SESSION');
  session[async_id_symbol] = handle[async_id_symbol];
  state.ready = true;
  performance.sessionBegins(session, session[kType] === NGHTTP2_SESSION_SERVER ? 'server' : 'client');
  session[kHandle] = handle;
  handle.wants(state.wanted);
  handle.consume(socket._handle);
  state.encrypted = Boolean(socket.encrypted);
  state.alpnProtocol = socket.encrypted ? socket.alpnProtocol : 'h2c';
  session.settings(typeof options.settings === 'object' ? options.settings : {});
  if (session[kType] === NGHTTP2_SESSION_SERVER && Array.isArray(options.origins)) {
    session.origin(...options.origins);
  }
  process.nextTick(emitConnect, session, socket);
}

function emitConnect(session, socket) {
  session.emit('connect', session, socket);
}

// The socket may have been read from already.
function receiveBuffered(session, socket) {
  if (!socket.readableLength) return;
  let chunk;
  while ((chunk = socket.read()) !== null) session[kHandle]?.receive(chunk);
}

function onListenerAdded(name) {
  want(this, this[kState].wanted | (kWantedEvents[name] ?? 0));
}

function onListenerRemoved(name) {
  const bit = kWantedEvents[name] ?? 0;
  if (bit !== 0 && this.listenerCount(name) === 0) want(this, this[kState].wanted & ~bit);
}

function want(session, bits) {
  const state = session[kState];
  if (bits === state.wanted) return;
  state.wanted = bits;
  session[kHandle]?.wants(bits);
}

// ---- Frames ----

function whenReady(session, submit, ...args) {
  if (session.connecting) {
    session.once('connect', () => {
      if (!session.destroyed) submit(session, ...args);
    });
  } else {
    submit(session, ...args);
  }
}

function submitSettings(session, settings, callback) {
  const state = session[kState];
  session[kUpdateTimer]();
  const pairs = toPairs(settings);
  if (state.settingsCallbacks.length >= state.outstanding.settings) {
    state.pendingAck--;
    endWait(waitFor('HTTP2SETTINGS', callback), (call) => call?.(new ERR_HTTP2_SETTINGS_CANCEL()));
    session.destroy(new ERR_HTTP2_MAX_PENDING_SETTINGS_ACK());
    return;
  }
  state.settingsCallbacks.push(waitFor('HTTP2SETTINGS', callback));
  for (const [id, value] of customOf(pairs)) state.localCustom.set(id, value);
  session[kHandle].settings(new Uint32Array(pairs));
}

// A frame that has to be acknowledged: a task of its own.
function waitFor(type, callback) {
  return initResource({ callback, begin: process.hrtime() }, type);
}

// `step` gets the callback, and how long it took in milliseconds.
function endWait(waiting, step) {
  const [seconds, nanoseconds] = process.hrtime(waiting.begin);
  callInContext(waiting, 'acknowledged', step, undefined, waiting.callback, seconds * 1e3 + nanoseconds / 1e6);
  emitDestroy(waiting[async_id_symbol]);
}

function settingsAcknowledged(session) {
  const state = session[kState];
  const waiting = state.settingsCallbacks.shift();
  if (waiting === undefined) return false;
  state.pendingAck--;
  state.localSettings = undefined;
  const settings = session.localSettings;
  endWait(waiting, (callback, duration) => {
    callback?.(null, settings, duration);
    session.emit('localSettings', settings);
  });
  return true;
}

function submitPing(session, payload, callback) {
  const state = session[kState];
  const waiting = waitFor('HTTP2PING', callback);
  if (state.pings.length >= state.outstanding.pings) {
    endWait(waiting, cancelPing);
    return false;
  }
  if (!payload) {
    payload = Buffer.allocUnsafe(8);
    payload.writeBigUInt64BE(process.hrtime.bigint());
  }
  state.pings.push(waiting);
  session[kHandle].ping(payload);
  return true;
}

function cancelPing(callback) {
  callback(new ERR_HTTP2_PING_CANCEL());
}

// False: not requested.
function pingAcknowledged(session, payload) {
  const waiting = session[kState].pings.shift();
  if (waiting === undefined) return false;
  endWait(waiting, (callback, duration) => {
    performance.pingEnds(session, duration);
    callback(null, duration, payload);
  });
  return true;
}

function submitGoaway(session, code, lastStreamID, opaqueData) {
  session[kUpdateTimer]();
  session[kHandle].goaway(code, lastStreamID, opaqueData);
}

// ---- Ending ----

function endSession(session, code, error) {
  debugSession(session[kType], 'start closing/destroying %s', error);
  const state = session[kState];
  state.destroyed = true;
  state.destroyCode = code;
  session.setTimeout(0);
  clearTimeout(session[kTimeout]);
  session.removeAllListeners('timeout');

  if (state.pendingStreams.size > 0 || state.streams.size > 0) {
    const cancel = new ERR_HTTP2_STREAM_CANCEL(error);
    for (const stream of [...state.pendingStreams]) stream.destroy(cancel);
    for (const stream of [...state.streams.values()]) stream.destroy(error);
  }
  const handle = session[kHandle];
  if (handle === undefined) {
    finishEnd(session, error);
    return;
  }
  performance.sessionEnds(session, handle);
  handle.ondone = () => finishEnd(session, error);
  const isDone = handle.destroy(code, session[kSocket].destroyed);
  cancelOutstanding(state);
  if (isDone) handle.ondone();
}

// Callbacks of settings are not called any more.
function cancelOutstanding(state) {
  for (const waiting of state.pings.splice(0)) {
    setImmediate(endWait, waiting, cancelPing);
  }
  state.settingsCallbacks.length = 0;
}

function finishEnd(session, error) {
  const socket = session[kSocket];
  const handle = session[kHandle];
  session[kProxySocket] = undefined;
  session[kSocket] = undefined;
  session[kHandle] = undefined;
  session[kServer]?.[kSessions].delete(session);
  if (handle) handle.ondone = undefined;
  if (socket) {
    socket[kBoundSession] = undefined;
    socket[kServer] = undefined;
  }
  if (!socket || socket.destroyed) {
    process.nextTick(emitClose, session, error);
    return;
  }
  socket.on('close', () => emitClose(session, error));
  // That the peer closes has to be seen.
  if (session.closed) socket.resume();
  socket.end(() => {
    if (!session.closed) setImmediate(() => socket.destroy(error));
  });
}

function emitClose(session, error) {
  if (error) session.emit('error', error);
  session.emit('close');
}

function onSocketError(error) {
  const session = this[kBoundSession];
  if (session === undefined) return;
  // A peer that has said goodbye may reset the connection.
  if (error.code === 'ECONNRESET' && session[kState].goawayCode !== null) session.destroy();
  else session.destroy(error);
}

function onSocketClose() {
  const session = this[kBoundSession];
  if (session === undefined) return;
  debugSession(session[kType], 'socket closed');
  const error = session.connecting ? new ERR_SOCKET_CLOSED() : null;
  const { streams, pendingStreams } = session[kState];
  for (const stream of [...streams.values()]) stream.close(NGHTTP2_CANCEL);
  for (const stream of [...pendingStreams]) stream.close(NGHTTP2_CANCEL);
  session.close();
  if (!session.destroyed) endSession(session, NGHTTP2_NO_ERROR, error);
}

module.exports = { Http2Session, pingAcknowledged, settingsAcknowledged };
