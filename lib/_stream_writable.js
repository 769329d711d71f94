'use strict';
// An old name of stream.Writable.

module.exports = require('stream').Writable;
