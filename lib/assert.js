'use strict';
// node:assert.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS } } = require('internal/errors');
const { inspect } = require('internal/util/inspect');
const { isDeepEqual, isDeepStrictEqual } = require('internal/util/comparisons');
const { isRegExp } = require('internal/util/types');
const { isError } = require('internal/inspect/errors');
const { deprecate } = require('internal/util/deprecate');
const AssertionError = require('internal/assert/assertion_error');
const { checkTruth } = require('internal/assert/truth');
const {
  catchFrom, catchFromPromise, expectException, expectNoException, fail: failWith,
} = require('internal/assert/throwing');

// ---- ok and fail ----

function ok(...args) {
  checkTruth(ok, args);
}

const assert = module.exports = ok;

let warnedOfFail = false;

assert.fail = function fail(actual, expected, message, operator, stackStartFn) {
  const count = arguments.length;
  let isGenerated = false;
  if (actual == null && count <= 1) {
    isGenerated = true;
    message = 'Failed';
  } else if (count === 1) {
    message = actual;
    actual = undefined;
  } else {
    if (!warnedOfFail) {
      warnedOfFail = true;
      process.emitWarning(
        'assert.fail() with more than one argument is deprecated. ' +
        'Please use assert.strictEqual() instead or only pass a message.',
        'DeprecationWarning', 'DEP0094');
    }
    if (count === 2) operator = '!=';
  }
  if (isError(message)) throw message;
  const options = {
    actual,
    expected,
    operator: operator === undefined ? 'fail' : operator,
    stackStartFn: stackStartFn || fail,
  };
  if (message !== undefined) options.message = message;
  const error = new AssertionError(options);
  if (isGenerated) error.generatedMessage = true;
  throw error;
};

assert.AssertionError = AssertionError;
assert.ok = ok;

// ---- comparisons ----

function requireBoth(args) {
  if (args.length < 2) throw new ERR_MISSING_ARGS('actual', 'expected');
}

assert.equal = function equal(actual, expected, message) {
  requireBoth(arguments);
  // eslint-disable-next-line eqeqeq
  if (actual != expected && (actual === actual || expected === expected)) {
    failWith({ actual, expected, message, operator: '==', stackStartFn: equal });
  }
};

assert.notEqual = function notEqual(actual, expected, message) {
  requireBoth(arguments);
  // eslint-disable-next-line eqeqeq
  if (actual == expected || (actual !== actual && expected !== expected)) {
    failWith({ actual, expected, message, operator: '!=', stackStartFn: notEqual });
  }
};

assert.deepEqual = function deepEqual(actual, expected, message) {
  requireBoth(arguments);
  if (!isDeepEqual(actual, expected)) {
    failWith({ actual, expected, message, operator: 'deepEqual', stackStartFn: deepEqual });
  }
};

assert.notDeepEqual = function notDeepEqual(actual, expected, message) {
  requireBoth(arguments);
  if (isDeepEqual(actual, expected)) {
    failWith({ actual, expected, message, operator: 'notDeepEqual', stackStartFn: notDeepEqual });
  }
};

assert.deepStrictEqual = function deepStrictEqual(actual, expected, message) {
  requireBoth(arguments);
  if (!isDeepStrictEqual(actual, expected)) {
    failWith({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: deepStrictEqual });
  }
};

assert.notDeepStrictEqual = function notDeepStrictEqual(actual, expected, message) {
  requireBoth(arguments);
  if (isDeepStrictEqual(actual, expected)) {
    failWith({
      actual, expected, message, operator: 'notDeepStrictEqual', stackStartFn: notDeepStrictEqual,
    });
  }
};

assert.strictEqual = function strictEqual(actual, expected, message) {
  requireBoth(arguments);
  if (!Object.is(actual, expected)) {
    failWith({ actual, expected, message, operator: 'strictEqual', stackStartFn: strictEqual });
  }
};

assert.notStrictEqual = function notStrictEqual(actual, expected, message) {
  requireBoth(arguments);
  if (Object.is(actual, expected)) {
    failWith({ actual, expected, message, operator: 'notStrictEqual', stackStartFn: notStrictEqual });
  }
};

// ---- exceptions ----

assert.throws = function throws(fn, ...args) {
  expectException(throws, catchFrom(fn), args);
};

assert.rejects = async function rejects(promiseFn, ...args) {
  expectException(rejects, await catchFromPromise(promiseFn), args);
};

assert.doesNotThrow = function doesNotThrow(fn, ...args) {
  expectNoException(doesNotThrow, catchFrom(fn), ...args);
};

assert.doesNotReject = async function doesNotReject(fn, ...args) {
  expectNoException(doesNotReject, await catchFromPromise(fn), ...args);
};

// The stack of the new error up to where both were called from, then that of the original.
function joinStacks(error, originalStack) {
  const start = originalStack.indexOf('\n    at');
  if (start === -1) return;
  const originalFrames = originalStack.slice(start + 1).split('\n');
  let lines = error.stack.split('\n');
  for (const frame of originalFrames) {
    const index = lines.indexOf(frame);
    if (index !== -1) {
      lines = lines.slice(0, index);
      break;
    }
  }
  error.stack = `${lines.join('\n')}\n${originalFrames.join('\n')}`;
}

assert.ifError = function ifError(err) {
  if (err === null || err === undefined) return;
  let shown;
  if (typeof err === 'object' && typeof err.message === 'string') {
    shown = err.message.length === 0 && err.constructor ? err.constructor.name : err.message;
  } else {
    shown = inspect(err);
  }
  const error = new AssertionError({
    actual: err,
    expected: null,
    operator: 'ifError',
    message: `ifError got unwanted exception: ${shown}`,
    stackStartFn: ifError,
  });
  if (typeof err.stack === 'string') joinStacks(error, err.stack);
  throw error;
};

// ---- strings ----

function checkMatch(string, regexp, message, fn, shouldMatch) {
  if (!isRegExp(regexp)) throw new ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
  const isString = typeof string === 'string';
  if (isString && (RegExp.prototype.exec.call(regexp, string) !== null) === shouldMatch) return;
  if (isError(message)) throw message;
  const generated = !message;
  if (!isString) {
    message ||= 'The "string" argument must be of type string. Received type ' +
      `${typeof string} (${inspect(string)})`;
  }
  message ||= `${shouldMatch ?
    'The input did not match the regular expression ' :
    'The input was expected to not match the regular expression '}${inspect(regexp)}. ` +
    `Input:\n\n${inspect(string)}\n`;
  const error = new AssertionError({
    actual: string, expected: regexp, message, operator: fn.name, stackStartFn: fn,
  });
  error.generatedMessage = generated;
  throw error;
}

assert.match = function match(string, regexp, message) {
  checkMatch(string, regexp, message, match, true);
};

assert.doesNotMatch = function doesNotMatch(string, regexp, message) {
  checkMatch(string, regexp, message, doesNotMatch, false);
};

assert.CallTracker = deprecate(require('internal/assert/calltracker'),
  'assert.CallTracker is deprecated.', 'DEP0173');

// ---- strict ----

function strict(...args) {
  checkTruth(strict, args);
}

assert.strict = Object.assign(strict, assert, {
  equal: assert.strictEqual,
  deepEqual: assert.deepStrictEqual,
  notEqual: assert.notStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.strict = assert.strict;
