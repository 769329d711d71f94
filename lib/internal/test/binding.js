'use strict';
// For Node's own tests, under --expose-internals.

module.exports = { internalBinding: (name) => binding(name) };
