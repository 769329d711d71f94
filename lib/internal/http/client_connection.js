'use strict';
// A request of a client on its socket: from getting the socket to the end of the response, when the socket
// goes back to its agent. `socket._httpMessage` is the request.

const { finished } = require('stream');
const { channel } = require('diagnostics_channel');
const { defaultTriggerAsyncIdScope } = require('internal/async_hooks');
const { ConnResetException } = require('internal/errors');
const { calculateLenientFlags } = require('internal/http/checks');
const { freeParser, parsers, prepareError, startParser } = require('internal/http/parsers');
const { kDetachAbortSignal, kNeedDrain, kSkipPendingData } = require('internal/http/symbols');
const { hasObserver, stopPerf } = require('internal/perf/observe');

const { HTTPParser } = binding('http_parser');

const errorChannel = channel('http.client.request.error');
const responseChannel = channel('http.client.response.finish');

const kStatistics = Symbol('ClientRequestStatistics');
const kError = Symbol('kError');

// What a parser returns for a head; see internal/http/parsers.
const kGoOn = 0;
const kNoBody = 1;
const kOtherProtocol = 2;

class HTTPClientAsyncResource {
  constructor(type, req) {
    this.type = type;
    this.req = req;
  }
}

function emitRequestError(request, error) {
  if (errorChannel.hasSubscribers) errorChannel.publish({ request, error });
  request.emit('error', error);
}

// 100 and 102 to 199: another response follows.
function isInformational(status) {
  return status >= 100 && status < 200 && status !== 101;
}

// ---- Getting a socket ----

// From the agent, or an error. Errors of the socket are the request's from this moment.
function takeSocket(request, socket, error) {
  if (socket && !error) {
    socket._httpMessage = request;
    socket.on('error', onSocketError);
  }
  process.nextTick(onSocketNT, request, socket, error);
}
takeSocket.kError = kError; // what a request was destroyed with

function onSocketNT(request, socket, error) {
  if (!request.destroyed && !error) {
    startRequest(request, socket);
    request._flush();
    return;
  }
  request.destroyed = true;
  if (!socket) {
    endUnsent(request, socket, error || request[kError]);
  } else if (!error && request.agent && !socket.destroyed) {
    // It is as good as new.
    socket.emit('free');
    socket.removeListener('error', onSocketError);
    endUnsent(request, socket, request[kError]);
  } else {
    finished(socket.destroy(error || request[kError]), (failure) => {
      if (failure?.code === 'ERR_STREAM_PREMATURE_CLOSE') failure = null;
      endUnsent(request, socket, failure || error);
    });
  }
}

// A request that was never sent.
function endUnsent(request, socket, error) {
  if (!request.aborted && !error) error = new ConnResetException('socket hang up');
  // Those of tunnels are reported by the agent.
  if (error && error.code !== 'ERR_PROXY_TUNNEL' && !socket?._hadError) emitRequestError(request, error);
  request._closed = true;
  request.emit('close');
}

function startRequest(request, socket) {
  const parser = parsers.alloc();
  request.socket = socket;
  if (typeof request.maxHeadersCount === 'number') {
    parser.maxHeaderPairs = request.maxHeadersCount << 1;
  }
  startParser(parser, HTTPParser.RESPONSE, new HTTPClientAsyncResource('HTTPINCOMINGMESSAGE', request),
    'HTTPCLIENTREQUEST', {
      maxHeaderSize: request.maxHeaderSize,
      lenient: calculateLenientFlags(request.httpValidation, request.insecureHTTPParser),
    });
  parser.socket = socket;
  parser.outgoing = request;
  parser.joinDuplicateHeaders = request.joinDuplicateHeaders;
  parser.onIncoming = onIncoming;
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  socket.on('data', onSocketData);
  socket.on('end', onSocketEnd);
  socket.on('close', onSocketClose);
  socket.on('drain', onSocketDrain);
  if (request.timeout !== undefined || request.agent?.options?.timeout) listenForTimeout(request);
  request.emit('socket', socket);
}

// ---- The socket ----

function onSocketDrain() {
  const request = this._httpMessage;
  if (request && !request.finished && request[kNeedDrain]) {
    request[kNeedDrain] = false;
    request.emit('drain');
  }
}

function onSocketData(chunk) {
  const request = this._httpMessage;
  const { parser } = this;
  const result = parser.execute(chunk);
  const { incoming } = parser;
  if (result instanceof Error) {
    prepareError(result, parser, chunk);
    freeParser(parser, request, this);
    this.removeListener('data', onSocketData);
    this.removeListener('end', onSocketEnd);
    this.destroy();
    request.socket._hadError = true;
    emitRequestError(request, result);
  } else if (incoming?.upgrade) {
    upgrade(request, this, parser, chunk.slice(result, chunk.length));
  } else if (incoming?.complete && !isInformational(incoming.statusCode)) {
    this.removeListener('data', onSocketData);
    this.removeListener('end', onSocketEnd);
    this.removeListener('drain', onSocketDrain);
    freeParser(parser, request, this);
  }
}

// 101, or the answer to CONNECT: the socket is the listener's.
function upgrade(request, socket, parser, head) {
  const response = request.res = parser.incoming;
  socket.removeListener('data', onSocketData);
  socket.removeListener('end', onSocketEnd);
  socket.removeListener('drain', onSocketDrain);
  if (request.timeoutCb) socket.removeListener('timeout', request.timeoutCb);
  socket.removeListener('timeout', onResponseTimeout);
  parser.finish();
  freeParser(parser, request, socket);
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(event) === 0) {
    socket.destroy();
    return;
  }
  request.upgradeOrConnect = true;
  socket.emit('agentRemove');
  socket.removeListener('close', onSocketClose);
  socket.removeListener('error', onSocketError);
  socket._httpMessage = null;
  socket.readableFlowing = null;
  request.emit(event, response, socket, head);
  request.destroyed = true;
  request._closed = true;
  request.emit('close');
}

function onSocketEnd() {
  const request = this._httpMessage;
  const { parser } = this;
  if (!request.res && !request.socket._hadError) {
    request.socket._hadError = true;
    emitRequestError(request, new ConnResetException('socket hang up'));
  }
  if (parser) {
    parser.finish();
    freeParser(parser, request, this);
  }
  this.destroy();
}

function onSocketError(error) {
  const request = this._httpMessage;
  const { parser } = this;
  if (request) {
    this._hadError = true; // one is enough
    emitRequestError(request, error);
  }
  if (parser) {
    parser.finish();
    freeParser(parser, request, this);
  }
  this.removeListener('data', onSocketData);
  this.removeListener('end', onSocketEnd);
  this.destroy();
}

function onSocketClose() {
  const request = this._httpMessage;
  const { parser } = this; // listeners may take it away
  const response = request.res;
  request.destroyed = true;
  if (response) {
    if (!response.complete) response.destroy(new ConnResetException('aborted'));
    request._closed = true;
    request.emit('close');
    if (!response.aborted && response.readable) response.push(null);
  } else {
    if (!request.socket._hadError) {
      request.socket._hadError = true;
      emitRequestError(request, new ConnResetException('socket hang up'));
    }
    request._closed = true;
    request.emit('close');
  }
  if (request.outputData) request.outputData.length = 0;
  if (parser) {
    parser.finish();
    freeParser(parser, request, this);
  }
}

// ---- The response ----

// A head is complete. `this` is the parser.
function onIncoming(response, keepAlive) {
  const { socket } = this;
  const request = socket._httpMessage;
  if (request.res) {
    // A second, unrequested response: neither it nor what is left of the first is
    // to be trusted.
    socket.destroy();
    if (socket.parser) {
      socket.parser.incoming = request.res;
      request.res[kSkipPendingData] = true;
    }
    return kGoOn;
  }
  request.res = response;
  if (response.upgrade) return kOtherProtocol;
  if (request.method === 'CONNECT') {
    response.upgrade = true;
    return kOtherProtocol;
  }
  if (isInformational(response.statusCode)) {
    request.res = null;
    reportInformation(request, response);
    return kNoBody;
  }
  if (request.shouldKeepAlive && !keepAlive && !request.upgradeOrConnect) {
    request.shouldKeepAlive = false;
  }
  reportObservers(request, response);
  response.req = request;
  response.on('end', onResponseEnd);
  request.on('finish', onRequestFinish);
  socket.on('timeout', onResponseTimeout);
  // A response without a listener cannot be read, and must not block the socket.
  if (request.aborted || !request.emit('response', response)) response._dump();
  if (request.method === 'HEAD') return kNoBody;
  if (response.statusCode === 304) {
    response.complete = true;
    return kNoBody;
  }
  return kGoOn;
}

function reportInformation(request, response) {
  const {
    statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders,
  } = response;
  if (statusCode === 100) request.emit('continue');
  request.emit('information', {
    statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders,
  });
}

function reportObservers(request, response) {
  if (request[kStatistics] && hasObserver('http')) {
    const { statusCode, statusMessage, headers } = response;
    stopPerf(request, kStatistics, { detail: { res: { statusCode, statusMessage, headers } } });
  }
  if (responseChannel.hasSubscribers) responseChannel.publish({ request, response });
}

function onResponseEnd() {
  const request = this.req;
  const { socket } = request;
  this[kDetachAbortSignal]();
  if (socket) {
    if (request.timeoutCb) socket.removeListener('timeout', emitRequestTimeout);
    socket.removeListener('timeout', onResponseTimeout);
  }
  request._ended = true;
  if (!request.shouldKeepAlive) {
    if (socket.writable) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    }
  } else if (request.writableFinished && !this.aborted) {
    // The kernel has all of the request, too.
    releaseSocket(request);
  }
}

// The response was there before all of the request was sent.
function onRequestFinish() {
  if (this.shouldKeepAlive && this._ended && !this.destroyed) releaseSocket(this);
}

function releaseSocket(request) {
  const { socket } = request;
  if (request.timeoutCb) {
    socket.setTimeout(0, request.timeoutCb);
    request.timeoutCb = null;
  }
  socket.removeListener('close', onSocketClose);
  socket.removeListener('error', onSocketError);
  socket.removeListener('data', onSocketData);
  socket.removeListener('end', onSocketEnd);
  // After the program's listeners of 'end'.
  defaultTriggerAsyncIdScope(socket._handle?.getAsyncId?.(), process.nextTick, emitFreeNT, request);
  request.destroyed = true;
  // Who destroys the response must not destroy what serves another request by then.
  if (request.res) request.res.socket = null;
}

function emitFreeNT(request) {
  request._closed = true;
  request.emit('close');
  request.socket?.emit('free');
}

// ---- Time-outs ----

function onResponseTimeout() {
  this._httpMessage?.res?.emit('timeout');
}

function emitRequestTimeout() {
  this._httpMessage?.emit('timeout');
}

function listenForTimeout(request) {
  if (request.timeoutCb) return;
  request.timeoutCb = emitRequestTimeout;
  if (request.socket) request.socket.once('timeout', emitRequestTimeout);
  else request.on('socket', (socket) => socket.once('timeout', emitRequestTimeout));
}

module.exports = { emitRequestError, kStatistics, listenForTimeout, takeSocket };
