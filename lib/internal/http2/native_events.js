'use strict';
// The events of a session in C++: a function for each kind, EventKind in src/http2/session.h.
// Each is called on the session's handle with (stream, number, flags, payload, more), as a task of its own.

const {
  async_id_symbol, asyncState, emitAfter, emitBefore, trigger_async_id_symbol,
} = require('internal/async_hooks');
const {
  codes: { ERR_HTTP2_SESSION_ERROR, ERR_HTTP2_TOO_MANY_ORIGINS },
} = require('internal/errors');
const { serves } = require('internal/http/served_request');
const channels = require('internal/http2/channels');
const constants = require('internal/http2/constants');
const { debugSession, debugStream } = require('internal/http2/debug');
const { NghttpError } = require('internal/http2/errors');
const { toObject } = require('internal/http2/fields');
const { originsOf } = require('internal/http2/origins');
const performance = require('internal/http2/performance');
const { tickWords } = require('internal/lens/descriptions');
const { kSettingCount, settingsOf } = require('internal/http2/settings');
const { onClosed, onWantsTrailers, onWritten } = require('internal/http2/stream');
const {
  kHandle, kMaybeDestroy, kOpenStream, kOrigin, kRequestResource, kRequestWords, kSentHeaders, kState,
  kType,
} = require('internal/http2/symbols');
const { EventKind } = require('internal/native/enums');
const { kOwner, kUpdateTimer } = require('internal/native/stream_handle');

const { Http2Session: NativeSession, SessionHooks } = binding('http2');
const {
  HTTP_STATUS_MISDIRECTED_REQUEST, NGHTTP2_FLAG_END_STREAM, NGHTTP2_NO_ERROR, NGHTTP2_REFUSED_STREAM,
  NGHTTP2_SESSION_SERVER,
} = constants;
const NGHTTP2_ERR_PROTO = -505;
const kResponse = 1; // categories of header blocks
const kPushResponse = 2;

function emit(emitter, event, ...args) {
  emitter.emit(event, ...args);
}

// What the lens calls it.
tickWords.set(emit, (emitter, event, first, second) => {
  if (event === 'stream') return `'stream' of ${requestWords(second)}`;
  const request = emitter[kSentHeaders];
  if (event !== 'response' || request === undefined) return `'${event}' of a stream`;
  return `'response' of ${first[':status']} for ${requestWords(request)}`;
});

function requestWords(headers) {
  return `${headers[':method']} ${headers[':path'] ?? headers[':authority']}`;
}

// ---- Streams ----

function onHead(session, id, category, flags, list, sensitive) {
  session[kUpdateTimer]();
  const headers = toObject(list, sensitive);
  const isEnd = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
  const stream = session[kState].streams.get(id);
  if (stream === undefined) openStream(session, id, headers, isEnd, flags, list);
  else continueStream(session, stream, category, headers, isEnd, flags, list);
}

function openStream(session, id, headers, isEnd, flags, list) {
  if (session.closed) {
    session[kHandle].reset(id, NGHTTP2_REFUSED_STREAM);
    session[kHandle].forget(id);
    return;
  }
  const isServer = session[kType] === NGHTTP2_SESSION_SERVER;
  const stream = session[kOpenStream](id, headers);
  performance.headArrives(stream);
  if (asyncState.named) {
    stream[kRequestWords] = requestWords(headers);
    if (isServer) serves(stream[kRequestWords]);
  }
  const { created, start } = isServer ? channels.server : channels.client;
  if (created.hasSubscribers) created.publish({ stream, headers });
  if (start.hasSubscribers) start.publish({ stream, headers });
  debugStream(stream, 'headers received');
  if (isEnd) {
    stream.push(null);
    stream[kState].endAfterHeaders = true;
  }
  if (!isServer) {
    stream.end();
  } else if (headers[':method'] === 'HEAD') {
    stream.end();
    stream[kState].headRequest = true;
  }
  process.nextTick(emit, session, 'stream', stream, headers, flags, list);
}

function eventOf(category, status, isEnd) {
  if (category === kResponse) return !isEnd && status >= 100 && status < 200 ? 'headers' : 'response';
  if (category === kPushResponse) return 'push';
  if (status !== undefined && status >= 200) return 'response';
  return isEnd ? 'trailers' : 'headers';
}

function continueStream(session, stream, category, headers, isEnd, flags, list) {
  performance.headArrives(stream);
  const status = headers[':status'];
  const event = eventOf(category, status, isEnd);
  if (status === HTTP_STATUS_MISDIRECTED_REQUEST) originsOf(session).delete(stream[kOrigin]);
  debugStream(stream, "emitting stream '%s' event", event);
  // As a task of the request, not of the session.
  const resource = stream[kRequestResource];
  if (resource) resource.runInAsyncScope(process.nextTick, null, emit, stream, event, headers, flags, list);
  else process.nextTick(emit, stream, event, headers, flags, list);
  if (isEnd && resource) resource.runInAsyncScope(stream.push, stream, null);
  else if (isEnd) stream.push(null);
  if ((event === 'response' || event === 'push') && channels.client.finish.hasSubscribers) {
    channels.client.finish.publish({ stream, headers, flags });
  }
}

function onData(stream, number, flags, chunk) {
  if (stream.destroyed) return;
  stream[kUpdateTimer]();
  performance.dataArrives(stream, chunk.length);
  if (!stream.push(chunk)) stream[kHandle]?.setReading(stream.id, false);
}

function onEnd(stream) {
  if (stream.destroyed) return;
  stream[kUpdateTimer]();
  if (stream._readableState.endEmitted) {
    stream[kMaybeDestroy]();
    return;
  }
  stream.on('end', stream[kMaybeDestroy]);
  stream.push(null);
  if (stream.readableLength === 0) stream.read(0);
}

// ---- The connection ----

function onGoaway(session, lastStream, code, flags, data) {
  debugSession(session[kType], 'goaway %d received [last stream id: %d]', code, lastStream);
  const state = session[kState];
  state.goawayCode = code;
  state.goawayLastStreamID = lastStream;
  session.emit('goaway', code, lastStream, data);
  // Without an error the streams may finish. With one, it is the peer's and not ours.
  if (code === NGHTTP2_NO_ERROR) session.close();
  else session.destroy(new ERR_HTTP2_SESSION_ERROR(code), NGHTTP2_NO_ERROR);
}

function onSettings(session, stream, number, flags, payload) {
  const state = session[kState];
  session[kUpdateTimer]();
  debugSession(session[kType], 'new settings received');
  const numbers = new Uint32Array(payload.buffer, payload.byteOffset, payload.length / 4);
  for (let i = kSettingCount; i < numbers.length; i += 2) {
    if (state.remoteCustomIds.has(numbers[i])) state.remoteCustom.set(numbers[i], numbers[i + 1]);
  }
  state.remoteSettings = settingsOf(numbers, state.remoteCustom);
  session.emit('remoteSettings', state.remoteSettings);
}

function unsolicited(session) {
  session.destroy(new NghttpError(NGHTTP2_ERR_PROTO));
}

function onSettingsAcknowledged(session) {
  debugSession(session[kType], 'settings received');
  if (!require('internal/http2/session').settingsAcknowledged(session)) unsolicited(session);
}

function onPing(session, stream, number, flags, payload) {
  session[kUpdateTimer]();
  debugSession(session[kType], 'new ping received');
  session.emit('ping', payload);
}

function onPingAcknowledged(session, stream, number, flags, payload) {
  if (!require('internal/http2/session').pingAcknowledged(session, payload)) unsolicited(session);
}

function onAltsvc(session, stream, originSize, flags, payload) {
  session[kUpdateTimer]();
  session.emit('altsvc', payload.latin1Slice(originSize), payload.latin1Slice(0, originSize), stream);
}

function onOrigin(session, stream, number, flags, payload) {
  session[kUpdateTimer]();
  if (!session.encrypted) return;
  const origins = (payload?.latin1Slice() ?? '').split('\0').slice(0, -1);
  const known = originsOf(session);
  const { maxOrigins } = session[kState];
  for (const origin of origins) {
    if (known.size >= maxOrigins) {
      session.destroy(new ERR_HTTP2_TOO_MANY_ORIGINS(maxOrigins));
      return;
    }
    known.add(origin);
  }
  session.emit('origin', origins);
}

function onPriority(session, id, parent, isExclusive, weight) {
  const emitter = session[kState].streams.get(id) || session;
  if (emitter.destroyed) return;
  emitter[kUpdateTimer]();
  emitter.emit('priority', id, parent, weight, isExclusive !== 0);
}

function onFrameError(session, id, code, type) {
  debugSession(session[kType], 'error sending frame type %d on stream %d, code: %d', type, id, code);
  const stream = session[kState].streams.get(id);
  const emitter = stream || session;
  emitter[kUpdateTimer]();
  emitter.emit('frameError', type, code, id);
  // A GOAWAY with a better code may be on its way.
  setImmediate(() => {
    stream?.close(code);
    session.close();
  });
}

function onError(session, stream, number, flags, code) {
  session.destroy(new NghttpError(number, code));
}

function onIdle(session) {
  session[kMaybeDestroy]();
}

// ---- As tasks ----

function asSessionTask(step) {
  return function(...args) {
    const session = this[kOwner];
    if (session.destroyed) return;
    const asyncId = this[async_id_symbol];
    emitBefore(asyncId, this[trigger_async_id_symbol], this);
    step(session, ...args);
    emitAfter(asyncId);
  };
}

function asStreamTask(step) {
  return function(id, number, flags, payload) {
    const stream = this[kOwner][kState].streams.get(id);
    if (stream === undefined) return;
    const asyncId = stream[async_id_symbol];
    emitBefore(asyncId, stream[trigger_async_id_symbol], stream);
    step(stream, number, flags, payload);
    emitAfter(asyncId);
  };
}

// The last bytes of a session that was destroyed are gone.
function onDone() {
  this.ondone?.();
}

// By the names of EventKind.
const hooksByName = {
  head: asSessionTask(onHead),
  data: asStreamTask(onData),
  end: asStreamTask(onEnd),
  closed: asStreamTask(onClosed),
  wantsTrailers: asStreamTask(onWantsTrailers),
  written: asStreamTask(onWritten),
  goaway: asSessionTask(onGoaway),
  settings: asSessionTask(onSettings),
  settingsAck: asSessionTask(onSettingsAcknowledged),
  ping: asSessionTask(onPing),
  pingAck: asSessionTask(onPingAcknowledged),
  altsvc: asSessionTask(onAltsvc),
  origin: asSessionTask(onOrigin),
  priority: asSessionTask(onPriority),
  frameError: asSessionTask(onFrameError),
  error: asSessionTask(onError),
  idle: asSessionTask(onIdle),
};

function listHooks() {
  const list = [];
  for (const name of Object.keys(EventKind)) {
    if (hooksByName[name] === undefined) throw new Error(`lib/ has no function for the event ${name}`);
    list[EventKind[name]] = hooksByName[name];
  }
  list.push(onDone); // after all events
  return list;
}

let hooks;

function makeHandle(session, isClient, options) {
  hooks ??= new SessionHooks(listHooks());
  const handle = new NativeSession(hooks, isClient, options);
  handle[kOwner] = session;
  return handle;
}

module.exports = { makeHandle };
