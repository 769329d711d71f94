'use strict';
// Under the name that Node's own files know.

const { addAbortListener } = require('internal/event_promises');

module.exports = { addAbortListener };
