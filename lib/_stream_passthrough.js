'use strict';
// An old name of stream.PassThrough.

module.exports = require('stream').PassThrough;
