'use strict';
// node:http2 without the protocol: packages that load it for the case that a peer speaks HTTP/2 (axios, got, fastify)
// find its names and constants. Whatever would start a session throws ERR_FEATURE_UNAVAILABLE_ON_PLATFORM.

const { Readable, Stream } = require('stream');
const { ERR_FEATURE_UNAVAILABLE_ON_PLATFORM } = require('internal/errors').codes;
const constants = require('internal/http2/constants');

function unavailable(name) {
  throw new ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(`http2.${name}`);
}

class Http2ServerRequest extends Readable {
  constructor() {
    unavailable('Http2ServerRequest');
    super();
  }
}

class Http2ServerResponse extends Stream {
  constructor() {
    unavailable('Http2ServerResponse');
    super();
  }
}

module.exports = {
  connect() { unavailable('connect'); },
  constants,
  createServer() { unavailable('createServer'); },
  createSecureServer() { unavailable('createSecureServer'); },
  getDefaultSettings() { unavailable('getDefaultSettings'); },
  getPackedSettings() { unavailable('getPackedSettings'); },
  getUnpackedSettings() { unavailable('getUnpackedSettings'); },
  performServerHandshake() { unavailable('performServerHandshake'); },
  sensitiveHeaders: Symbol('sensitiveHeaders'),
  Http2ServerRequest,
  Http2ServerResponse,
};
