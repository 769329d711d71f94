'use strict';
// Under the name that Node's own files know.

const { addAbortListener } = require('internal/events/promises');

module.exports = { addAbortListener };
