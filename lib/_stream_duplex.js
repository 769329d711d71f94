'use strict';
// An old name of stream.Duplex.

module.exports = require('stream').Duplex;
