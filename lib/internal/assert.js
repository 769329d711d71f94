'use strict';
// For what must hold in the runtime itself, whatever a program does.

const { codes: { ERR_INTERNAL_ASSERTION } } = require('internal/errors');

module.exports = function assert(value, message) {
  if (!value) throw new ERR_INTERNAL_ASSERTION(message);
};
