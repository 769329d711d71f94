'use strict';
// What NODE_DEBUG=http2 shows.

const { debuglog } = require('internal/util/debuglog');
const { kSession, kType } = require('internal/http2/symbols');

const debug = debuglog('http2');

function sessionName(type) {
  return type === 0 ? 'server' : 'client';
}

function debugSession(type, message, ...args) {
  if (debug.enabled) debug(`Http2Session %s: ${message}`, sessionName(type), ...args);
}

function debugStream(stream, message, ...args) {
  if (!debug.enabled) return;
  debug(`Http2Stream %s [Http2Session %s]: ${message}`, stream.id ?? '<pending>',
    sessionName(stream[kSession]?.[kType]), ...args);
}

module.exports = { debugSession, debugStream };
