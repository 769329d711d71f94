'use strict';
// How assertions fail: what their last arguments mean, and the message of assert.ok(), the source of the call.

const {
  codes: { ERR_AMBIGUOUS_ARGUMENT, ERR_INVALID_ARG_TYPE },
} = require('internal/errors');
const AssertionError = require('internal/assert/assertion_error');
const { isError } = require('internal/inspect/errors');

function refuseMore(message, what) {
  if (message.length === 1) return;
  throw new ERR_AMBIGUOUS_ARGUMENT('message', `The error message ${what} has trailing arguments ` +
    'that would be ignored.');
}

// The text for `message`, the arguments after the values: a text and what fills it in, a function that makes one, or
// an error, which is thrown.
function textOf(message, actual, expected) {
  if (message.length === 0) return undefined;
  const { 0: first } = message;
  if (typeof first === 'string') {
    return message.length === 1 ? first : require('internal/util/inspect').format(...message);
  }
  if (isError(first)) {
    refuseMore(message, `was passed as error object "${Error.prototype.toString.call(first)}"`);
    throw first;
  }
  if (typeof first !== 'function') {
    throw new ERR_INVALID_ARG_TYPE('message', ['string', 'function'], first);
  }
  refuseMore(message, `with function "${first.name || 'anonymous'}"`);
  try {
    const text = first(actual, expected);
    return typeof text === 'string' ? text : undefined;
  } catch {
    return undefined; // the usual message is better than none
  }
}

// options: { actual, expected, message: [...], operator, stackStartFn, diff, generatedMessage }
function fail(options) {
  const { actual, expected, generatedMessage } = options;
  // undefined says the same as to leave it out.
  const given = options.message.length === 1 && options.message[0] === undefined ? [] :
    options.message;
  const message = textOf(given, actual, expected);
  const error = new AssertionError({ ...options, message });
  if (generatedMessage !== undefined) error.generatedMessage = generatedMessage;
  throw error;
}

function sourceMessage(fn) {
  const source = require('internal/assert/call_source').sourceOfCall(fn);
  return source === undefined ? [] :
    [`The expression evaluated to a falsy value:\n\n  ${source}\n`];
}

// `fn` is what the program called, with `args`.
function checkTruth(fn, args) {
  const { 0: value } = args;
  if (value) return;
  const isGenerated = args.length < 2 || args[1] == null;
  let message = args.slice(1);
  if (args.length === 0) message = ['No value argument passed to `assert.ok()`'];
  else if (isGenerated) message = sourceMessage(fn);
  fail({
    actual: value, expected: true, message, operator: '==', stackStartFn: fn,
    generatedMessage: isGenerated,
  });
}

module.exports = { checkTruth, fail };
