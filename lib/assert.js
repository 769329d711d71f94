'use strict';
// node:assert: the class Assert, whose methods are the functions of the module too. Without an instance they have no
// options.

const { codes: { ERR_CONSTRUCT_CALL_REQUIRED, ERR_INVALID_ARG_TYPE, ERR_MISSING_ARGS } } =
  require('internal/errors');
const { inspect } = require('internal/util/inspect');
const { isDeepEqual, isDeepStrictEqual, isPartialStrictEqual } =
  require('internal/util/comparisons');
const { isRegExp } = require('internal/util/types');
const { isError } = require('internal/inspect/errors');
const AssertionError = require('internal/assert/assertion_error');
const { checkTruth, fail: failWith } = require('internal/assert/fail');
const {
  catchFrom, catchFromPromise, expectException, expectNoException,
} = require('internal/assert/throwing');
const { validateOneOf } = require('internal/validators');

const kOptions = Symbol('options');

function Assert(options) {
  if (!new.target) throw new ERR_CONSTRUCT_CALL_REQUIRED('Assert');
  const settings = Object.assign({ __proto__: null, strict: true, skipPrototype: false }, options);
  if (settings.diff !== undefined) {
    validateOneOf(settings.diff, 'options.diff', ['simple', 'full']);
  }
  this.AssertionError = AssertionError;
  Object.defineProperty(this, kOptions, { __proto__: null, value: settings });
  if (!settings.strict) return;
  this.equal = this.strictEqual;
  this.deepEqual = this.deepStrictEqual;
  this.notEqual = this.notStrictEqual;
  this.notDeepEqual = this.notDeepStrictEqual;
}

const { prototype } = Assert;

function diffOf(assert) {
  return assert?.[kOptions]?.diff;
}

// ---- ok and fail ----

function assert(...args) {
  checkTruth(assert, args);
}

module.exports = assert;
assert.AssertionError = AssertionError;

prototype.fail = function fail(message) {
  if (isError(message)) throw message;
  const error = new AssertionError({
    operator: 'fail', stackStartFn: fail, message: message === undefined ? 'Failed' : message,
    diff: diffOf(this),
  });
  if (message === undefined) error.generatedMessage = true;
  throw error;
};

prototype.ok = function ok(...args) {
  checkTruth(ok, args);
};

// ---- comparisons ----

// A method that fails unless isRight(actual, expected, skipsPrototype).
function comparison(name, operator, isRight) {
  const method = { [name](actual, expected, ...message) {
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('actual', 'expected');
    if (isRight(actual, expected, this?.[kOptions]?.skipPrototype)) return;
    failWith({ actual, expected, message, operator, stackStartFn: method, diff: diffOf(this) });
  } }[name];
  prototype[name] = method;
}

function isLooselyEqual(a, b) {
  // eslint-disable-next-line eqeqeq
  return a == b || (a !== a && b !== b);
}

comparison('equal', '==', isLooselyEqual);
comparison('notEqual', '!=', (a, b) => !isLooselyEqual(a, b));
comparison('deepEqual', 'deepEqual', (a, b) => isDeepEqual(a, b));
comparison('notDeepEqual', 'notDeepEqual', (a, b) => !isDeepEqual(a, b));
comparison('deepStrictEqual', 'deepStrictEqual', isDeepStrictEqual);
comparison('notDeepStrictEqual', 'notDeepStrictEqual',
  (a, b, skipsPrototype) => !isDeepStrictEqual(a, b, skipsPrototype));
comparison('strictEqual', 'strictEqual', Object.is);
comparison('notStrictEqual', 'notStrictEqual', (a, b) => !Object.is(a, b));
comparison('partialDeepStrictEqual', 'partialDeepStrictEqual',
  (a, b) => isPartialStrictEqual(a, b));

// ---- exceptions ----

prototype.throws = function throws(fn, ...args) {
  expectException(throws, catchFrom(fn), args);
};

prototype.rejects = async function rejects(promiseFn, ...args) {
  expectException(rejects, await catchFromPromise(promiseFn), args);
};

prototype.doesNotThrow = function doesNotThrow(fn, ...args) {
  expectNoException(doesNotThrow, catchFrom(fn), ...args);
};

prototype.doesNotReject = async function doesNotReject(fn, ...args) {
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

prototype.ifError = function ifError(err) {
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
    diff: diffOf(this),
  });
  if (typeof err.stack === 'string') joinStacks(error, err.stack);
  throw error;
};

// ---- strings ----

function describeMismatch(string, regexp, shouldMatch) {
  if (typeof string !== 'string') {
    return 'The "string" argument must be of type string. Received type ' +
      `${typeof string} (${inspect(string)})`;
  }
  return `${shouldMatch ?
    'The input did not match the regular expression ' :
    'The input was expected to not match the regular expression '}${inspect(regexp)}. ` +
    `Input:\n\n${inspect(string)}\n`;
}

function checkMatch(string, regexp, message, fn, shouldMatch) {
  if (!isRegExp(regexp)) throw new ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
  if (typeof string === 'string' &&
      (RegExp.prototype.exec.call(regexp, string) !== null) === shouldMatch) return;
  const generatedMessage = message.length === 0;
  message[0] ||= describeMismatch(string, regexp, shouldMatch);
  failWith({
    actual: string, expected: regexp, message, operator: fn.name, stackStartFn: fn, generatedMessage,
  });
}

prototype.match = function match(string, regexp, ...message) {
  checkMatch(string, regexp, message, match, true);
};

prototype.doesNotMatch = function doesNotMatch(string, regexp, ...message) {
  checkMatch(string, regexp, message, doesNotMatch, false);
};

// ---- the module ----

for (const name of ['ok', 'fail', 'equal', 'notEqual', 'deepEqual', 'notDeepEqual',
  'deepStrictEqual', 'notDeepStrictEqual', 'strictEqual', 'notStrictEqual',
  'partialDeepStrictEqual', 'match', 'doesNotMatch', 'throws', 'rejects', 'doesNotThrow',
  'doesNotReject', 'ifError']) {
  assert[name] = prototype[name];
}

function strict(...args) {
  checkTruth(strict, args);
}

assert.strict = Object.assign(strict, assert, {
  equal: assert.strictEqual,
  deepEqual: assert.deepStrictEqual,
  notEqual: assert.notStrictEqual,
  notDeepEqual: assert.notDeepStrictEqual,
});
assert.strict.Assert = Assert;
assert.strict.strict = assert.strict;
assert.Assert = Assert;
