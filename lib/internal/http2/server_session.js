'use strict';
// The server's side of a connection: it answers requests, and announces other services and origins.

const {
  codes: {
    ERR_HTTP2_ALTSVC_INVALID_ORIGIN, ERR_HTTP2_ALTSVC_LENGTH, ERR_HTTP2_INVALID_ORIGIN, ERR_HTTP2_INVALID_SESSION,
    ERR_HTTP2_ORIGIN_LENGTH, ERR_INVALID_ARG_TYPE, ERR_INVALID_CHAR, ERR_OUT_OF_RANGE,
  },
} = require('internal/errors');
const { NGHTTP2_SESSION_SERVER } = require('internal/http2/constants');
const { originOf } = require('internal/http2/origins');
const { ServerHttp2Stream } = require('internal/http2/server_stream');
const { Http2Session } = require('internal/http2/session');
const { kHandle, kOpenStream, kServer, kSessions } = require('internal/http2/symbols');
const { validateString } = require('internal/validators');

// Of a frame: 2^14 bytes, less two for a length.
const kMaxLength = 16382;
// What an ALTSVC value may consist of (RFC 7230, 3.2.6).
const kFieldValue = /^[\x09\x20-\x5b\x5d-\x7e\x80-\xff]*$/;

class ServerHttp2Session extends Http2Session {
  constructor(options, socket, server) {
    super(NGHTTP2_SESSION_SERVER, options, socket);
    this[kServer] = server;
    server?.[kSessions].add(this);
  }

  get server() {
    return this[kServer];
  }

  [kOpenStream](id, headers) {
    return new ServerHttp2Stream(this, id, {}, headers);
  }

  altsvc(alt, originOrStream) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    const [stream, origin] = altsvcTarget(originOrStream);
    validateString(alt, 'alt');
    if (!kFieldValue.test(alt)) throw new ERR_INVALID_CHAR('alt');
    if (alt.length + origin.length > kMaxLength) throw new ERR_HTTP2_ALTSVC_LENGTH();
    this[kHandle].altsvc(stream, origin, alt);
  }

  origin(...origins) {
    if (this.destroyed) throw new ERR_HTTP2_INVALID_SESSION();
    if (origins.length === 0) return;
    let names = '';
    let length = 0;
    for (let origin of origins) {
      if (typeof origin === 'string') origin = originOf(origin);
      else if (origin != null && typeof origin === 'object') ({ origin } = origin);
      validateString(origin, 'origin');
      if (origin === 'null') throw new ERR_HTTP2_INVALID_ORIGIN();
      names += `${origin}\0`;
      length += origin.length;
    }
    if (length > kMaxLength) throw new ERR_HTTP2_ORIGIN_LENGTH();
    this[kHandle].origin(names);
  }
}

// [stream, origin]: what an ALTSVC frame is about.
function altsvcTarget(target) {
  if (target === undefined) return [0, ''];
  if (typeof target === 'string') {
    const origin = originOf(target);
    if (origin === 'null') throw new ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
    return [0, origin];
  }
  if (typeof target === 'number') {
    if (target >>> 0 !== target || target === 0) {
      throw new ERR_OUT_OF_RANGE('originOrStream', `> 0 && < ${2 ** 32}`, target);
    }
    return [target, ''];
  }
  const origin = target !== null && typeof target === 'object' ? target.origin : undefined;
  if (typeof origin !== 'string') {
    throw new ERR_INVALID_ARG_TYPE('originOrStream', ['string', 'number', 'URL', 'object'], target);
  }
  if (origin === 'null' || origin.length === 0) throw new ERR_HTTP2_ALTSVC_INVALID_ORIGIN();
  return [0, origin];
}

module.exports = { ServerHttp2Session };
