'use strict';
// One connection of a server: requests that arrive on its socket, and their responses, which leave in
// the same order. `socket._httpMessage` is the current response; those after it keep what they write.

const net = require('net');
const { ConnResetException, codes: { ERR_HTTP_REQUEST_TIMEOUT, ERR_HTTP_SOCKET_ENCODING } } =
  require('internal/errors');
const {
  async_id_symbol, defaultTriggerAsyncIdScope, newAsyncId,
} = require('internal/async_hooks');
const { channel } = require('diagnostics_channel');
const { debuglog } = require('internal/util/debuglog');
const { readStart, releaseRequest, settleRequest } = require('_http_incoming');
const { calculateLenientFlags } = require('internal/http/checks');
const {
  freeParser, kHasBodyHeaders, kHasExpect, kHasHost, kHeadBits, kOnExecute, kReportChunk, kReportChunks,
  parsers, prepareError, startParser,
} = require('internal/http/parsers');
const STATUS_CODES = require('internal/http/status_codes');
const {
  kConnectionState, kConnections, kDetachAbortSignal, kNeedDrain, kServerResponse, kUniqueHeaders,
} = require('internal/http/symbols');

const { HTTPParser } = binding('http_parser');

const requestStartChannel = channel('http.server.request.start');
const responseFinishChannel = channel('http.server.response.finish');

const debug = debuglog('http');
const kOptimizeEmptyRequests = Symbol('OptimizeEmptyRequestsOption');
const kContinue = /(?:^|\W)100-continue(?:$|\W)/i;

function noop() {}

class ServerConnection {
  constructor(server, socket, parser) {
    this.server = server;
    this.socket = socket;
    this.parser = parser;
    this.incoming = []; // requests whose responses have not gone
    this.outgoing = []; // responses after the current one
    // Bytes that they hold, roughly. Above the high-water mark nothing more is read.
    this.outgoingData = 0;
    this.requestsCount = 0;
    this.hasHadRequest = false;
    this.keepAliveTimeoutSet = false;
    this.upgradeStream = null;
  }
}

class HTTPServerAsyncResource {
  constructor(type, socket) {
    this.type = type;
    this.socket = socket;
  }
}

// ---- Beginning ----

// The listener of 'connection'.
function connectionListener(socket) {
  if (socket[async_id_symbol] === undefined) socket[async_id_symbol] = newAsyncId();
  defaultTriggerAsyncIdScope(socket[async_id_symbol], connect, this, socket);
}

function connect(server, socket) {
  debug('SERVER new http connection');
  socket.server = server;
  if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
  socket.on('timeout', onSocketTimeout);

  const parser = parsers.alloc();
  if (typeof server.maxHeadersCount === 'number') parser.maxHeaderPairs = server.maxHeadersCount << 1;
  startParser(parser, HTTPParser.REQUEST, new HTTPServerAsyncResource('HTTPINCOMINGMESSAGE', socket),
    'HTTPINCOMINGMESSAGE', {
      maxHeaderSize: server.maxHeaderSize,
      lenient: calculateLenientFlags(server.httpValidation, server.insecureHTTPParser),
      connections: server[kConnections],
    });
  parser.socket = socket;
  socket.parser = parser;
  socket[kConnectionState] = new ServerConnection(server, socket, parser);

  socket.on('data', onSocketData);
  socket.on('error', onSocketError);
  socket.on('end', onSocketEnd);
  socket.on('close', onSocketClose);
  socket.on('drain', onSocketDrain);
  socket.on('resume', onSocketResume);
  socket.on('pause', onSocketPause);
  parser.onIncoming = onIncoming;
  parser[kOnExecute] = onParserExecute;
  parser[HTTPParser.kOnTimeout] = onParserTimeout;
  // Who listens for data has to get it: the parser then goes back to being a listener, too.
  socket.on = watchListeners.on;
  socket.addListener = watchListeners.addListener;
  socket.prependListener = watchListeners.prependListener;
  socket.setEncoding = refuseEncoding;

  const handle = socket._handle;
  if (handle?.isStreamBase && !handle._consumed) {
    parser._consumed = true;
    handle._consumed = true;
    parser.consume(handle);
  }
  socket._paused = false;
}

function refuseEncoding() {
  throw new ERR_HTTP_SOCKET_ENCODING();
}

const watchListeners = {
  on: watching('on'),
  addListener: watching('addListener'),
  prependListener: watching('prependListener'),
};

function watching(name) {
  return function(event, listener) {
    const result = Reflect.apply(net.Socket.prototype[name], this, [event, listener]);
    if (!this.parser) {
      for (const each of Object.keys(watchListeners)) this[each] = net.Socket.prototype[each];
    } else if (event === 'data' || event === 'readable') {
      unconsume(this.parser, this);
    }
    return result;
  };
}

function unconsume(parser, socket) {
  if (!socket._handle) return;
  if (parser._consumed) parser.unconsume();
  parser._consumed = false;
  socket.removeListener('pause', onSocketPause);
  socket.removeListener('resume', onSocketResume);
}

// ---- Reading ----

function onSocketData(chunk) {
  const { parser } = this;
  const result = parser.execute(chunk);
  afterExecute(this[kConnectionState], result, chunk);
}

// The same for a parser that consumes.
function onParserExecute(result) {
  const { socket } = this;
  socket._unrefTimer();
  afterExecute(socket[kConnectionState], result, undefined);
}

// Node's parsers have such a function.
function onParserTimeout() {
  const { socket } = this;
  if (!socket.server.emit('timeout', socket)) socket.destroy();
}

function afterExecute(connection, result, chunk) {
  const { parser, socket } = connection;
  if (result instanceof Error) {
    prepareError(result, parser, chunk);
    Reflect.apply(onSocketError, socket, [result]);
  } else if (parser.incoming?.upgrade) {
    upgrade(connection, result, chunk);
  } else if (parser.incoming?.method === 'PRI') {
    socket.destroy();
  }
  // onIncoming() has stopped reading.
  if (socket._paused && socket.parser) socket.parser.pause();
}

// Upgrade or CONNECT: the socket is the listener's from now on.
function upgrade(connection, parsed, chunk) {
  const { server, socket, parser } = connection;
  const request = parser.incoming;
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  let stream = socket;
  if (request.complete) {
    chunk ??= parser.getCurrentBuffer();
    for (const [name, listener] of kConnectionListeners) socket.removeListener(name, listener);
    unconsume(parser, socket);
    parser.finish();
    freeParser(parser, request, socket);
  } else {
    if (connection.upgradeStream !== null) return; // more of the body
    chunk ??= Buffer.alloc(0);
    const { UpgradeStream } = require('internal/http/upgrade_stream');
    stream = connection.upgradeStream = new UpgradeStream(socket, request);
  }
  if (server.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  const head = chunk.slice(parsed, chunk.length);
  if (request.complete && connection.upgradeStream !== null) {
    connection.upgradeStream.requestBodyCompleted(head);
  } else {
    socket.readableFlowing = null;
    server.emit(event, request, stream, head);
  }
}

// 'resume' is emitted later than it was asked for: what has stopped reading meanwhile wins.
function onSocketResume() {
  if (this._paused) {
    this.pause();
    return;
  }
  if (this._handle && !this._handle.reading) {
    this._handle.reading = true;
    this._handle.readStart();
  }
}

function onSocketPause() {
  if (!this._handle?.reading) return;
  this._handle.reading = false;
  this._handle.readStop();
}

// ---- Requests ----

// A head is complete. `this` is the parser.
function onIncoming(request, keepAlive) {
  const { socket } = this;
  const connection = socket[kConnectionState];
  const { server } = connection;
  const bits = this[kHeadBits];
  endKeepAlive(connection);
  if (request.upgrade) {
    request.upgrade = request.method === 'CONNECT' || Boolean(server.shouldUpgradeCallback(request));
    if (request.upgrade) return kReportChunks;
  }
  connection.incoming.push(request);
  if (!connection.hasHadRequest) {
    // Behind what the listeners of 'connection' have added.
    connection.hasHadRequest = true;
    socket.on('close', onResponseSocketClose);
  }
  pauseIfFlooded(connection);

  const response = makeResponse(connection, request, keepAlive);
  if (server[kOptimizeEmptyRequests] === true && (bits & kHasBodyHeaders) === 0) {
    // The end of the missing body has no listener.
    request._dumpAndCloseReadable();
    readStart(socket);
  }
  if (socket._httpMessage) connection.outgoing.push(response);
  else response.assignSocket(socket);
  response.on('finish', onResponseFinish);

  if (request.httpVersionMajor === 1 && request.httpVersionMinor === 1) {
    dispatch11(connection, request, response, bits);
  } else {
    server.emit('request', request, response);
  }
  return socket._paused || request.method === 'PRI' ? kReportChunk : 0;
}

function makeResponse(connection, request, keepAlive) {
  const { server, socket } = connection;
  const response = new server[kServerResponse](request, {
    highWaterMark: socket.writableHighWaterMark,
    rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites,
  });
  response[kConnectionState] = connection;
  response._keepAliveTimeout = server.keepAliveTimeout;
  response._maxRequestsPerSocket = server.maxRequestsPerSocket;
  response._onPendingData = onPendingData;
  response.shouldKeepAlive = keepAlive;
  response[kUniqueHeaders] = server[kUniqueHeaders];
  if (requestStartChannel.hasSubscribers) {
    requestStartChannel.publish({ request, response, socket, server });
  }
  return response;
}

// What HTTP/1.1 asks of a server before a request is one.
function dispatch11(connection, request, response, bits) {
  const { server, socket } = connection;
  if ((bits & kHasHost) === 0 && server.requireHostHeader && request.headers.host === undefined) {
    response.writeHead(400, ['Connection', 'close']);
    response.end();
    return;
  }
  const most = server.maxRequestsPerSocket;
  if (typeof most === 'number' && most > 0) {
    connection.requestsCount++;
    response.maxRequestsOnConnectionReached = most <= connection.requestsCount;
    if (most < connection.requestsCount) {
      server.emit('dropRequest', request, socket);
      response.writeHead(503);
      response.end();
      return;
    }
  }
  if ((bits & kHasExpect) !== 0 && request.headers.expect !== undefined) {
    dispatchExpectation(server, request, response);
  } else {
    server.emit('request', request, response);
  }
}

function dispatchExpectation(server, request, response) {
  if (kContinue.test(request.headers.expect)) {
    response._expect_continue = true;
    if (server.listenerCount('checkContinue') > 0) {
      server.emit('checkContinue', request, response);
    } else {
      response.writeContinue();
      server.emit('request', request, response);
    }
  } else if (server.listenerCount('checkExpectation') > 0) {
    server.emit('checkExpectation', request, response);
  } else {
    response.writeHead(417);
    response.end();
  }
}

// ---- Backpressure: a peer that sends requests and reads no responses must not fill our memory ----

function pauseIfFlooded(connection) {
  const { socket } = connection;
  if (socket._paused) return;
  if (socket._writableState.needDrain || connection.outgoingData >= socket.writableHighWaterMark) {
    socket._paused = true;
    socket.pause(); // and the parser, when it has done with what has arrived
  }
}

// A response that waits has got, or given away, this many bytes.
function onPendingData(delta) {
  const connection = this[kConnectionState];
  connection.outgoingData += delta;
  drain(connection);
}

function onSocketDrain() {
  drain(this[kConnectionState]);
}

function drain({ socket, outgoingData }) {
  if (socket._paused && outgoingData <= socket.writableHighWaterMark) {
    socket._paused = false;
    if (socket.parser) socket.parser.resume();
    socket.resume();
  }
  const message = socket._httpMessage;
  if (message && !message.finished && message[kNeedDrain] && message.writableLength === 0) {
    message[kNeedDrain] = false;
    message.emit('drain');
  }
}

// ---- Responses ----

// 'finish' of a response: the next response, the end of the connection, or waiting.
function onResponseFinish() {
  const connection = this[kConnectionState];
  const { server, socket } = connection;
  const request = this.req;
  if (responseFinishChannel.hasSubscribers) {
    responseFinishChannel.publish({ request, response: this, socket, server });
  }
  request[kDetachAbortSignal]();
  connection.incoming.shift();
  const isStream = releaseRequest(request);
  this.detachSocket(socket);
  releaseFromParser(request, isStream);
  process.nextTick(closeResponse, this, request);

  if (this._last) {
    if (typeof socket.destroySoon === 'function') socket.destroySoon();
    else socket.end();
  } else if (connection.outgoing.length === 0) {
    beginKeepAlive(connection);
  } else {
    connection.outgoing.shift()?.assignSocket(socket);
  }
}

// So that the request can be collected.
function releaseFromParser(request, isStream) {
  const parser = request.socket?.parser;
  if (!parser || parser.incoming !== request) return;
  if (!isStream || request.readableEnded) parser.incoming = null;
  else request.on('end', onReleasedEnd);
}

function onReleasedEnd() {
  releaseFromParser(this, true);
}

function closeResponse(response, request) {
  settleRequest(request);
  emitResponseClose(response);
}

function emitResponseClose(response) {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  response.emit('close');
}

// 'close' of the socket, for the current response.
function onResponseSocketClose() {
  if (this._httpMessage) emitResponseClose(this._httpMessage);
}

function durationOr(value, otherwise) {
  return Number.isFinite(value) && value >= 0 ? value : otherwise;
}

function beginKeepAlive(connection) {
  const { server, socket } = connection;
  const timeout = durationOr(server.keepAliveTimeout, 0);
  if (!timeout || typeof socket.setTimeout !== 'function') return;
  // Somewhat longer than we say, so that a request that is on its way is not refused.
  socket.setTimeout(timeout + durationOr(server.keepAliveTimeoutBuffer, 1000));
  connection.keepAliveTimeoutSet = true;
}

function endKeepAlive(connection) {
  if (!connection.keepAliveTimeoutSet) return;
  connection.socket.setTimeout(connection.server.timeout || 0);
  connection.keepAliveTimeoutSet = false;
}

// ---- Ending ----

function onSocketTimeout() {
  const request = this.parser?.incoming;
  const isRequests = request && !request.complete && request.emit('timeout', this);
  const isResponses = this._httpMessage && this._httpMessage.emit('timeout', this);
  const isServers = this.server.emit('timeout', this);
  if (!isRequests && !isResponses && !isServers) this.destroy();
}

function onSocketEnd() {
  const connection = this[kConnectionState];
  const { server, parser } = connection;
  const result = parser.finish();
  if (result instanceof Error) {
    Reflect.apply(onSocketError, this, [result]);
  } else if (!server.httpAllowHalfOpen) {
    this.end();
  } else if (connection.outgoing.length > 0) {
    connection.outgoing.at(-1)._last = true;
  } else if (this._httpMessage) {
    this._httpMessage._last = true;
  } else {
    this.end();
  }
}

function onSocketClose() {
  if (this[kConnectionState] === undefined) return; // the program's call
  const { incoming, outgoing } = this[kConnectionState];
  freeParser(this.parser, null, this);
  while (incoming.length > 0) incoming.shift().destroy(new ConnResetException('aborted'));
  while (outgoing.length > 0) outgoing.shift().destroy(new ConnResetException('aborted'));
}

// The response to an invalid request.
const kStatusOfError = {
  '__proto__': null,
  'ERR_HTTP_REQUEST_TIMEOUT': 408,
  'HPE_CHUNK_EXTENSIONS_OVERFLOW': 413,
  'HPE_HEADER_OVERFLOW': 431,
};

function onSocketError(error) {
  this.removeListener('error', onSocketError); // the first one counts
  if (this.listenerCount('error', noop) === 0) this.on('error', noop);
  if (this.server.emit('clientError', error, this)) return;
  // In the middle of a response this would be taken for a part of it.
  if (this.writable && !this._httpMessage?._headerSent) {
    const status = kStatusOfError[error.code] ?? 400;
    this.write(Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`,
      'latin1'));
  }
  this.destroy(error);
}

function onRequestTimeout(socket) {
  Reflect.apply(onSocketError, socket, [new ERR_HTTP_REQUEST_TIMEOUT()]);
}

const kConnectionListeners = [
  ['data', onSocketData],
  ['end', onSocketEnd],
  ['close', onSocketClose],
  ['close', onResponseSocketClose],
  ['drain', onSocketDrain],
  ['error', onSocketError],
  ['timeout', onSocketTimeout],
];

module.exports = {
  connectionListener,
  kOptimizeEmptyRequests,
  onRequestTimeout,
  onResponseSocketClose,
};
