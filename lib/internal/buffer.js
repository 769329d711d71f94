'use strict';
// Under the name that Node's own files know.

module.exports = require('internal/buffer/fast_buffer');
