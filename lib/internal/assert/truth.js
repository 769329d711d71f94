'use strict';
// assert.ok() and what else has its message: the source of the call.

const AssertionError = require('internal/assert/assertion_error');
const { isError } = require('internal/inspect/errors');

// `fn` is what the program called, with `args`.
function checkTruth(fn, args) {
  const [value] = args;
  if (value) return;
  let [, message] = args;
  let generated = false;
  if (args.length === 0) {
    generated = true;
    message = 'No value argument passed to `assert.ok()`';
  } else if (message == null) {
    generated = true;
    const source = require('internal/assert/call_source').sourceOfCall(fn);
    if (source !== undefined) message = `The expression evaluated to a falsy value:\n\n  ${source}\n`;
  } else if (isError(message)) {
    throw message;
  }
  const error = new AssertionError({
    actual: value, expected: true, message, operator: '==', stackStartFn: fn,
  });
  error.generatedMessage = generated;
  throw error;
}


module.exports = { checkTruth };
