'use strict';
// What the package calls by this name is node:stream, which lib/stream.js puts together.

module.exports = require('stream');
