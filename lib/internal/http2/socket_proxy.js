'use strict';
// What programs see of a session's socket: all of it but what would disturb the session.

const {
  codes: { ERR_HTTP2_NO_SOCKET_MANIPULATION, ERR_HTTP2_SOCKET_UNBOUND },
} = require('internal/errors');
const { kRequest, kSocket } = require('internal/http2/symbols');

function boundTo(object, property) {
  const value = object[property];
  return typeof value === 'function' ? value.bind(object) : value;
}

// ---- session.socket ----

const kOfSession = new Set(['setTimeout', 'ref', 'unref', 'destroy']);
const kForbidden = new Set([
  'emit', 'end', 'pause', 'read', 'resume', 'write', 'setEncoding', 'setKeepAlive', 'setNoDelay',
]);

function socketOf(session) {
  const socket = session[kSocket];
  if (socket === undefined) throw new ERR_HTTP2_SOCKET_UNBOUND();
  return socket;
}

const sessionHandler = {
  get(session, property) {
    if (kOfSession.has(property)) return session[property].bind(session);
    if (kForbidden.has(property)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    return boundTo(socketOf(session), property);
  },
  getPrototypeOf(session) {
    return Reflect.getPrototypeOf(socketOf(session));
  },
  set(session, property, value) {
    if (kForbidden.has(property)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    const target = kOfSession.has(property) ? session : socketOf(session);
    target[property] = value;
    return true;
  },
};

// ---- request.socket and response.socket ----

const kOfStream = new Set(['on', 'once', 'end', 'emit', 'destroy', 'writable', 'destroyed']);
const kForbiddenOfStream = new Set(['write', 'read', 'pause', 'resume']);

// The session's socket while there is a session.
function targetOf(stream) {
  return stream.session !== undefined ? stream.session[kSocket] : stream;
}

const streamHandler = {
  has(stream, property) {
    return property in stream || property in targetOf(stream);
  },
  get(stream, property) {
    if (kOfStream.has(property)) return boundTo(stream, property);
    if (kForbiddenOfStream.has(property)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    if (property === 'readable') return !stream.destroyed && (stream[kRequest] ?? stream).readable;
    if (property === 'setTimeout') return boundTo(stream.session ?? stream, property);
    return boundTo(targetOf(stream), property);
  },
  getPrototypeOf(stream) {
    return Reflect.getPrototypeOf(targetOf(stream));
  },
  set(stream, property, value) {
    if (kForbiddenOfStream.has(property)) throw new ERR_HTTP2_NO_SOCKET_MANIPULATION();
    let target = targetOf(stream);
    if (kOfStream.has(property) || property === 'readable') target = stream;
    else if (property === 'setTimeout') target = stream.session ?? stream;
    target[property] = value;
    return true;
  },
};

module.exports = {
  proxyOfSession: (session) => new Proxy(session, sessionHandler),
  proxyOfStream: (stream) => new Proxy(stream, streamHandler),
};
