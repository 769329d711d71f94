'use strict';
// node:util/types.

module.exports = require('internal/util/types');
