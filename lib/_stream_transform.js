'use strict';
// An old name of stream.Transform.

module.exports = require('stream').Transform;
