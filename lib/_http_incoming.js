'use strict';
// http.IncomingMessage: a request as a server gets it, a response as a client does.
//
// Most requests have no body and are never read, so a message is built in stages. Its header lines stay one
// string until the program asks for them. It becomes a Readable, with all the state that one has, when
// something looks at that state (`_readableState` is an accessor); what happened to the message until then
// is a number, kStage, and is caught up on:
//
//     kOpen  -> kEnded    the message is complete, its body empty
//            -> kDumped   it will not be read: what is left is read and discarded
//            -> kClosed   'end' and 'close' would have been emitted by now
//
// A message that is a Readable already does all of that as a stream.

const { Readable, finished } = require('stream');
const { addDistinctLine, addHeaderLine } = require('internal/http/header_fields');
const { kDetachAbortSignal } = require('internal/http/symbols');

const kReadable = Symbol('kReadable');
const kStage = Symbol('kStage');
const kLines = Symbol('kLines');
const kTrailerLines = Symbol('kTrailerLines');
const kRawHeaders = Symbol('kRawHeaders');
const kRawTrailers = Symbol('kRawTrailers');
const kHeaders = Symbol('kHeaders');
const kHeadersCount = Symbol('kHeadersCount');
const kHeadersDistinct = Symbol('kHeadersDistinct');
const kTrailers = Symbol('kTrailers');
const kTrailersCount = Symbol('kTrailersCount');
const kTrailersDistinct = Symbol('kTrailersDistinct');
const kAbort = Symbol('kAbortController');

const kOpen = 0;
const kEnded = 1;
const kDumped = 2;
const kClosed = 3;

function IncomingMessage(socket) {
  this[kReadable] = null;
  this[kStage] = kOpen;
  this.socket = socket;
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.httpVersion = null;
  this.complete = false;
  this[kLines] = '';
  this[kRawHeaders] = null;
  this[kHeaders] = null;
  this[kHeadersCount] = -1; // all
  this[kHeadersDistinct] = null;
  this[kTrailerLines] = '';
  this[kRawTrailers] = null;
  this[kTrailers] = null;
  this[kTrailersCount] = -1;
  this[kTrailersDistinct] = null;
  this.joinDuplicateHeaders = false;
  this.aborted = false;
  this.upgrade = null;
  this.url = '';
  this.method = null;
  this.statusCode = null;
  this.statusMessage = null;
  this.client = socket;
  this._consuming = false; // reading has begun
  this._dumped = false; // always: whatever arrives is kept
  this[kAbort] = null;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

function accessor(name, get, set, configurable = false) {
  Object.defineProperty(IncomingMessage.prototype, name, { __proto__: null, get, set, configurable });
}

// ---- As a stream ----

function becomeReadable(message) {
  const { socket } = message;
  Reflect.apply(Readable, message,
    socket ? [{ highWaterMark: socket.readableHighWaterMark }] : []);
  const state = message[kReadable];
  // Pieces of the body arrive by themselves: no need to ask for more.
  state.readingMore = true;
  switch (message[kStage]) {
    case kEnded:
      message.push(null);
      break;
    case kDumped:
      message.push(null);
      message.read(0);
      break;
    case kClosed:
      markClosed(state);
      break;
  }
  return state;
}

function markClosed(state) {
  state.ended = true;
  state.endEmitted = true;
  state.destroyed = true;
  state.closed = true;
  state.closeEmitted = true;
}

accessor('_readableState', function() {
  return this[kReadable] ?? becomeReadable(this);
}, function(state) {
  this[kReadable] = state;
});

function readStart(socket) {
  if (socket && !socket._paused && socket.readable) socket.resume();
}

function readStop(socket) {
  if (socket) socket.pause();
}

IncomingMessage.prototype._read = function _read() {
  if (!this._consuming) {
    this._readableState.readingMore = false;
    this._consuming = true;
  }
  // The parser pushes the body; all we can do is let the socket flow.
  if (this.socket.readable) readStart(this.socket);
};

// The parser has seen the end.
function completeMessage(message) {
  if (message[kReadable] === null) message[kStage] = kEnded;
  else message.push(null);
}

IncomingMessage.prototype._dump = function _dump() {
  if (this._dumped) return;
  this._dumped = true;
  if (this[kReadable] === null && this[kStage] === kEnded) {
    this[kStage] = kDumped;
    return;
  }
  // What is buffered already goes the same way.
  this.removeAllListeners('data');
  if (this.complete && !this.destroyed && this.readableLength === 0) this.read(0);
  else this.resume();
};

// For a server with the option that requests without a body need no events.
IncomingMessage.prototype._dumpAndCloseReadable = function _dumpAndCloseReadable() {
  this._dumped = true;
  if (this[kReadable] === null) this[kStage] = kClosed;
  else markClosed(this[kReadable]);
};

// The response to it is out. Whether the parser still has to do with it.
function releaseRequest(message) {
  if (message[kReadable] === null) {
    message._dump();
    return message[kReadable] !== null;
  }
  if (!message._consuming && !message[kReadable].resumeScheduled) message._dump();
  return true;
}

// A moment later, when a stream would have ended and closed.
function settleRequest(message) {
  if (message[kReadable] === null && message[kStage] === kDumped) message[kStage] = kClosed;
}

IncomingMessage.prototype._destroy = function _destroy(error, callback) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
    abortSignal(this);
  }
  const { socket } = this;
  if (error == null && !this.aborted) {
    callback();
    return;
  }
  if (!socket || socket.destroyed || !this.aborted) {
    process.nextTick(endDestroy, this, error, callback);
    return;
  }
  socket.destroy(error);
  const cleanup = finished(socket, (failure) => {
    if (failure?.code === 'ERR_STREAM_PREMATURE_CLOSE') failure = null;
    cleanup();
    process.nextTick(endDestroy, this, failure || error, callback);
  });
};

// Without a listener an error is not one: messages have always ended so.
function endDestroy(message, error, callback) {
  if (message.listenerCount('error') === 0) callback();
  else callback(error);
}

IncomingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(msecs);
  return this;
};

accessor('connection', function() {
  return this.socket;
}, function(socket) {
  this.socket = socket;
});

// ---- Header lines ----

// 'name\nvalue\nname\nvalue\n', as the parser gives them.
function splitLines(lines) {
  if (lines === '') return [];
  const strings = lines.split('\n');
  strings.pop();
  return strings;
}

// What the parser has found. `most`: of names and values together; those beyond are not in `headers`.
function setHeaderLines(message, lines, most) {
  if (message._addHeaderLines !== addHeaderLines) {
    const strings = splitLines(lines);
    message._addHeaderLines(strings, most > 0 ? Math.min(strings.length, most) : strings.length);
    return;
  }
  message[kLines] = lines;
  message[kHeadersCount] = most > 0 ? most : -1;
}

function setTrailerLines(message, lines) {
  if (lines === '') return;
  const strings = splitLines(lines);
  message._addHeaderLines(strings, strings.length);
}

accessor('rawHeaders', function() {
  return this[kRawHeaders] ??= splitLines(this[kLines]);
}, function(list) {
  this[kRawHeaders] = list;
});

accessor('rawTrailers', function() {
  return this[kRawTrailers] ??= splitLines(this[kTrailerLines]);
}, function(list) {
  this[kRawTrailers] = list;
});

function collect(message, strings, count, dest) {
  const end = count < 0 ? strings.length : Math.min(count, strings.length);
  for (let i = 0; i < end; i += 2) message._addHeaderLine(strings[i], strings[i + 1], dest);
  return dest;
}

function collectDistinct(message, strings, count) {
  const dest = { __proto__: null };
  const end = count < 0 ? strings.length : Math.min(count, strings.length);
  for (let i = 0; i < end; i += 2) message._addHeaderLineDistinct(strings[i], strings[i + 1], dest);
  return dest;
}

accessor('headers', function() {
  return this[kHeaders] ??= collect(this, this.rawHeaders, this[kHeadersCount], {});
}, function(headers) {
  this[kHeaders] = headers;
});

accessor('headersDistinct', function() {
  return this[kHeadersDistinct] ??= collectDistinct(this, this.rawHeaders, this[kHeadersCount]);
}, function(headers) {
  this[kHeadersDistinct] = headers;
});

accessor('trailers', function() {
  return this[kTrailers] ??= collect(this, this.rawTrailers, this[kTrailersCount], {});
}, function(trailers) {
  this[kTrailers] = trailers;
});

accessor('trailersDistinct', function() {
  return this[kTrailersDistinct] ??= collectDistinct(this, this.rawTrailers, this[kTrailersCount]);
}, function(trailers) {
  this[kTrailersDistinct] = trailers;
});

// The names that Node has for these steps, which programs may override.
IncomingMessage.prototype._addHeaderLines = addHeaderLines;
function addHeaderLines(strings, count) {
  if (!strings?.length) return;
  let dest;
  if (this.complete) {
    this[kRawTrailers] = strings;
    this[kTrailersCount] = count;
    dest = this[kTrailers];
  } else {
    this[kRawHeaders] = strings;
    this[kHeadersCount] = count;
    dest = this[kHeaders];
  }
  if (dest) collect(this, strings, count, dest);
}

IncomingMessage.prototype._addHeaderLine = function _addHeaderLine(field, value, dest) {
  addHeaderLine(field, value, dest, this.joinDuplicateHeaders);
};

IncomingMessage.prototype._addHeaderLineDistinct = function _addHeaderLineDistinct(field, value, dest) {
  addDistinctLine(field, value, dest);
};

// ---- The signal: aborted when the other side goes away before the exchange is over ----

accessor('signal', function() {
  if (this[kAbort] === null || this[kAbort].controller === null) {
    const { AbortController } = require('internal/abort_controller');
    const controller = new AbortController();
    const isDetached = this[kAbort] !== null;
    this[kAbort] = { controller, socket: null, listener: null };
    if (this.destroyed && (!this.readableEnded || !this.complete)) controller.abort();
    else if (!isDetached) watchSocket(this);
  }
  return this[kAbort].controller.signal;
}, undefined, true);

function watchSocket(message) {
  const { socket } = message;
  if (!socket) return;
  if (socket.destroyed) {
    abortSignal(message);
    return;
  }
  const watch = message[kAbort];
  watch.socket = socket;
  watch.listener = () => abortSignal(message);
  socket.once('close', watch.listener);
}

function abortSignal(message) {
  message[kDetachAbortSignal]();
  message[kAbort].controller?.abort();
}

// The exchange is over: from now on the socket may close.
IncomingMessage.prototype[kDetachAbortSignal] = function() {
  const watch = this[kAbort];
  if (watch === null) {
    this[kAbort] = kNoWatch;
    return;
  }
  if (watch.listener === null) return;
  watch.socket.removeListener('close', watch.listener);
  watch.socket = null;
  watch.listener = null;
};
const kNoWatch = Object.freeze({ controller: null, socket: null, listener: null });

module.exports = {
  IncomingMessage,
  completeMessage,
  kDetachAbortSignal,
  readStart,
  readStop,
  releaseRequest,
  setHeaderLines,
  setTrailerLines,
  settleRequest,
};
