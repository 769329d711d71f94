'use strict';
// Errors that nghttp2 reports, by its number.

const { codes } = require('internal/errors');
const { errorString } = binding('http2');

class NghttpError extends Error {
  constructor(number, code) {
    super(code ? new codes[code]().message : errorString(number));
    this.code = code || 'ERR_HTTP2_ERROR';
    this.errno = number;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }
}

module.exports = { NghttpError };
