'use strict';
// Internal properties of sessions, streams and servers.

module.exports = {
  kAuthority: Symbol('authority'),
  kBoundSession: Symbol('bound-session'), // of a socket
  kHandle: Symbol('handle'), // the session's in C++; of a stream as long as that has one
  kInfoHeaders: Symbol('sent-info-headers'),
  kInit: Symbol('init'),
  kMaybeDestroy: Symbol('maybe-destroy'),
  kOpenStream: Symbol('open-stream'), // of a session: for a stream that the peer has begun
  kOptions: Symbol('options'),
  kOrigin: Symbol('origin'),
  kProtocol: Symbol('protocol'),
  kProxySocket: Symbol('proxy-socket'),
  kRawHeaders: Symbol('raw-headers'),
  kRequest: Symbol('request'),
  kRequestResource: Symbol('request-async-resource'),
  kRequestWords: Symbol('request-words'), // for the lens
  kResponse: Symbol('response'),
  kRespondFirst: Symbol('proceed'),
  kSensitiveHeaders: Symbol('sensitiveHeaders'),
  kSentHeaders: Symbol('sent-headers'),
  kSentTrailers: Symbol('sent-trailers'),
  kServer: Symbol('server'),
  kSession: Symbol('session'),
  kSessions: Symbol('sessions'), // of a server
  kSocket: Symbol('socket'),
  kState: Symbol('state'),
  kStrictSingleValueFields: Symbol('strictSingleValueFields'),
  kType: Symbol('type'),
};
