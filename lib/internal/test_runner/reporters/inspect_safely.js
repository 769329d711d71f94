'use strict';

const { inspect } = require('internal/util/inspect');

// As inspect(), also of objects whose own way to be inspected throws.
function inspectSafely(value, options) {
  try {
    return inspect(value, options);
  } catch {
    return inspect(value, { ...options, customInspect: false });
  }
}

module.exports = { inspectSafely };
