'use strict';
// The parsers of connections (src/runtime/bindings/network/http_parser.cpp): what they call, and a list of
// those that wait for the next connection.
//
// A parser knows its socket, the message that arrives (`incoming`), and `onIncoming`, which is called
// with each message when its head is complete. A server's parser consumes the socket's handle, where
// it can: then what arrives does not pass through the socket at all.

const { HTTPParser, ParserHooks, allMethods } = binding('http_parser');
const {
  IncomingMessage, completeMessage, readStart, readStop, setHeaderLines, setTrailerLines,
} = require('_http_incoming');
const {
  async_id_symbol, asyncState, emitAfter, emitBefore, emitDestroy, initResource, trigger_async_id_symbol,
} = require('internal/async_hooks');
const { getOptionValue } = require('internal/options');
const { serves } = require('internal/http/served_request');
const { HeadBits, ReplyBits } = require('internal/native/enums');
const { kIncomingMessage, kSkipPendingData } = require('internal/http/symbols');

// Bits of a head, beside the method and the version.
const {
  keepAlive: kKeepAlive, upgrade: kUpgrade, hasBody: kHasBody, hasHost: kHasHost, hasExpect: kHasExpect,
  hasBodyHeaders: kHasBodyHeaders,
} = HeadBits;
// Of what is returned for a head, beside 1 for "no body" and 2 for "no body, then another protocol".
const { completed: kCompleted, reportChunk: kReportChunk, reportChunks: kReportChunks } = ReplyBits;

const kNoStatus = -1; // of a request

const kMaxHeaderPairs = 2000; // names and values

const kResource = Symbol('kResource');
const kHeadBits = Symbol('kHeadBits');
const kOnExecute = Symbol('kOnExecute');

// For a parser that a program has initialized itself.
const kNoResource = { [async_id_symbol]: 0, [trigger_async_id_symbol]: 0 };

function before(parser, event) {
  const resource = parser[kResource] ?? kNoResource;
  emitBefore(resource[async_id_symbol], resource[trigger_async_id_symbol], resource, event);
  return resource[async_id_symbol];
}

// What the lens calls this message.
function noteHead({ [kResource]: resource }, bits, text, statusCode) {
  if (resource === null) return;
  const { req: request } = resource;
  resource.head = statusCode === kNoStatus ? `${allMethods[bits & 255]} ${text}` :
    `${statusCode} for ${request?.method} ${request?.path}`;
}

function onHead(bits, text, lines, statusCode) {
  if (asyncState.named) noteHead(this, bits, text, statusCode);
  const asyncId = before(this, statusCode === kNoStatus ? 'request' : 'response');
  if (asyncState.named && statusCode === kNoStatus) serves(this[kResource]?.head);
  const { socket } = this;
  if (this._consumed && socket.timeout) socket._unrefTimer();
  const server = socket?.server;
  const Message = server?.[kIncomingMessage] || IncomingMessage;
  const incoming = this.incoming = new Message(socket);
  const major = (bits >> 8) & 15;
  const minor = (bits >> 12) & 15;
  incoming.httpVersionMajor = major;
  incoming.httpVersionMinor = minor;
  incoming.httpVersion = major === 1 && minor === 1 ? '1.1' : `${major}.${minor}`;
  incoming.joinDuplicateHeaders = server?.joinDuplicateHeaders || this.joinDuplicateHeaders;
  incoming.upgrade = (bits & kUpgrade) !== 0;
  setHeaderLines(incoming, lines, this.maxHeaderPairs);
  if (statusCode === kNoStatus) {
    incoming.url = text;
    incoming.method = allMethods[bits & 255];
  } else {
    incoming.statusCode = statusCode;
    incoming.statusMessage = text;
  }
  this[kHeadBits] = bits;
  let reply = this.onIncoming(incoming, (bits & kKeepAlive) !== 0);
  // A request without a body is complete: no event is needed.
  if (statusCode === kNoStatus && (bits & kHasBody) === 0) {
    complete(this);
    reply |= kCompleted;
  }
  emitAfter(asyncId);
  return reply;
}

function onBody(chunk) {
  const { incoming } = this;
  if (incoming === null || incoming[kSkipPendingData] || incoming._dumped) return;
  const asyncId = before(this, 'data');
  if (this._consumed && this.socket.timeout) this.socket._unrefTimer();
  if (!incoming.push(chunk)) readStop(this.socket);
  emitAfter(asyncId);
}

function onComplete(trailers) {
  const asyncId = before(this, 'end');
  const { incoming } = this;
  if (incoming !== null && trailers !== '' && !incoming[kSkipPendingData]) {
    incoming.complete = true;
    setTrailerLines(incoming, trailers);
  }
  complete(this);
  emitAfter(asyncId);
}

function complete(parser) {
  const { incoming } = parser;
  if (incoming !== null && !incoming[kSkipPendingData]) {
    incoming.complete = true;
    completeMessage(incoming);
  }
  // For the next message.
  readStart(parser.socket);
}

// After what has arrived, if there was an error, or onIncoming() has asked for it.
function onExecute(result) {
  const asyncId = before(this, 'data');
  this[kOnExecute]?.(result);
  emitAfter(asyncId);
}

// ---- Those that wait ----

let hooks;

function makeParser() {
  hooks ??= new ParserHooks(onHead, onBody, onComplete, onExecute);
  const parser = new HTTPParser(hooks);
  clean(parser);
  return parser;
}

function clean(parser) {
  parser.socket = null;
  parser.incoming = null;
  parser.outgoing = null;
  parser.maxHeaderPairs = kMaxHeaderPairs;
  parser._consumed = false;
  parser.onIncoming = null;
  parser.joinDuplicateHeaders = null;
  parser[kResource] = null;
  parser[kHeadBits] = 0;
  parser[kOnExecute] = null;
  parser[HTTPParser.kOnTimeout] = null;
}

const parsers = {
  name: 'parsers',
  ctor: makeParser,
  max: 1000,
  list: [],
  alloc() {
    return this.list.length > 0 ? this.list.pop() : this.ctor();
  },
  free(parser) {
    if (this.list.length >= this.max) return false;
    this.list.push(parser);
    return true;
  },
};

// `resource` is what async_hooks sees; its type is `provider`.
function startParser(parser, type, resource, provider, options) {
  parser[kResource] = initResource(resource, provider);
  parser.initialize(type, resource, options.maxHeaderSize || defaultMaxHeaderSize(), options.lenient,
    options.connections, parser.maxHeaderPairs);
}

function defaultMaxHeaderSize() {
  return Number(getOptionValue('--max-http-header-size') ?? 0);
}

function freeParser(parser, req, socket) {
  if (parser) {
    if (parser._consumed) parser.unconsume();
    const isBusy = parser.remove();
    const resource = parser[kResource];
    clean(parser);
    if (!isBusy) parsers.free(parser);
    parser.free();
    if (resource) emitDestroy(resource[async_id_symbol]);
  }
  if (req) req.parser = null;
  if (socket) socket.parser = null;
}

function prepareError(error, parser, rawPacket) {
  error.rawPacket = rawPacket || parser.getCurrentBuffer();
  if (typeof error.reason === 'string') error.message = `Parse Error: ${error.reason}`;
}

module.exports = {
  freeParser,
  kHasBodyHeaders,
  kHasExpect,
  kHasHost,
  kHeadBits,
  kOnExecute,
  kReportChunk,
  kReportChunks,
  parsers,
  prepareError,
  startParser,
};
