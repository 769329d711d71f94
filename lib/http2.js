'use strict';
// node:http2. What does the work is in lib/internal/http2/: sessions, their streams, servers; and in C++ in
// src/http2/ (the protocol, on nghttp2) and src/runtime/http2/http2_session.cpp.

const constants = require('internal/http2/constants');
const { connect } = require('internal/http2/connect');
const { Http2ServerRequest } = require('internal/http2/request');
const { Http2ServerResponse } = require('internal/http2/response');
const { createSecureServer, createServer, performServerHandshake } = require('internal/http2/server');
const { getDefaultSettings, getPackedSettings, getUnpackedSettings } = require('internal/http2/settings');
const { kSensitiveHeaders } = require('internal/http2/symbols');

module.exports = {
  connect,
  constants,
  createServer,
  createSecureServer,
  getDefaultSettings,
  getPackedSettings,
  getUnpackedSettings,
  performServerHandshake,
  sensitiveHeaders: kSensitiveHeaders,
  Http2ServerRequest,
  Http2ServerResponse,
};
