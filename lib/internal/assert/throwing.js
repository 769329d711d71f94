'use strict';
// assert.throws, rejects and their opposites: what was thrown, and whether it was what was expected.

const {
  codes: {
    ERR_AMBIGUOUS_ARGUMENT,
    ERR_INVALID_ARG_TYPE,
    ERR_INVALID_ARG_VALUE,
    ERR_INVALID_RETURN_VALUE,
  },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { inspect } = require('internal/util/inspect');
const { isDeepStrictEqual } = require('internal/util/comparisons');
const { isPromise, isRegExp } = require('internal/util/types');
const { isError } = require('internal/inspect/errors');
const AssertionError = require('internal/assert/assertion_error');
const { fail } = require('internal/assert/fail');

const kNothingThrown = Symbol('kNothingThrown');

function matches(regexp, string) {
  return RegExp.prototype.exec.call(regexp, string) !== null;
}

// The properties that were compared, for the diff. Where a regular expression matched, the string itself.
class Comparison {
  constructor(object, keys, actual) {
    for (const key of keys) {
      if (!(key in object)) continue;
      const isMatch = actual !== undefined && typeof actual[key] === 'string' &&
        isRegExp(object[key]) && matches(object[key], actual[key]);
      this[key] = isMatch ? actual[key] : object[key];
    }
  }
}

function checkProperty(actual, expected, key, message, keys, fn) {
  if (typeof actual[key] === 'string' && isRegExp(expected[key]) &&
      matches(expected[key], actual[key])) return;
  if (key in actual && isDeepStrictEqual(actual[key], expected[key])) return;
  if (message) fail({ actual, expected, message: [message], operator: fn.name, stackStartFn: fn });
  const error = new AssertionError({
    actual: new Comparison(actual, keys),
    expected: new Comparison(expected, keys, actual),
    operator: 'deepStrictEqual',
    stackStartFn: fn,
  });
  error.actual = actual;
  error.expected = expected;
  error.operator = fn.name;
  throw error;
}

function checkProperties(actual, expected, message, fn) {
  if (typeof actual !== 'object' || actual === null) {
    const error = new AssertionError({
      actual, expected, message, operator: 'deepStrictEqual', stackStartFn: fn,
    });
    error.operator = fn.name;
    throw error;
  }
  const keys = Object.keys(expected);
  // These two of an error are not enumerable.
  if (isError(expected)) {
    keys.push('name', 'message');
  } else if (keys.length === 0) {
    throw new ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
  }
  for (const key of keys) checkProperty(actual, expected, key, message, keys, fn);
}

// Why what was thrown is not what was expected, or undefined if it is.
function mismatch(actual, expected) {
  if (typeof expected !== 'function') {
    const string = String(actual);
    if (matches(expected, string)) return undefined;
    return `The input did not match the regular expression ${inspect(expected)}. ` +
      `Input:\n\n${inspect(string)}\n`;
  }
  if (expected.prototype !== undefined && actual instanceof expected) return undefined;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) {
    const lead = `The error is expected to be an instance of "${expected.name}". Received `;
    if (!isError(actual)) return `${lead}"${inspect(actual, { depth: -1 })}"`;
    const name = actual.constructor?.name || actual.name;
    const received = name === expected.name ?
      'an error with identical name but a different prototype.' : `"${name}"`;
    return `${lead}${received}${actual.message ? `\n\nError message:\n\n${actual.message}` : ''}`;
  }
  const result = Reflect.apply(expected, {}, [actual]);
  if (result === true) return undefined;
  const name = expected.name ? `"${expected.name}" ` : '';
  const text = `The ${name}validation function is expected to return "true". Received ${inspect(result)}`;
  return isError(actual) ? `${text}\n\nCaught error:\n\n${actual}` : text;
}

function checkException(actual, expected, message, fn) {
  if (typeof expected !== 'function' && !isRegExp(expected)) {
    checkProperties(actual, expected, message, fn);
    return;
  }
  const reason = mismatch(actual, expected);
  if (reason === undefined) return;
  const error = new AssertionError({
    actual, expected, message: message || reason, operator: fn.name, stackStartFn: fn,
  });
  error.generatedMessage = !message;
  throw error;
}

function kindOf(fn) {
  return fn.name === 'rejects' || fn.name === 'doesNotReject' ? 'rejection' : 'exception';
}

// `args` is what followed the function or promise: error, message.
function expectException(fn, actual, args) {
  let [error, message] = args;
  const badType = () =>
    new ERR_INVALID_ARG_TYPE('error', ['Object', 'Error', 'Function', 'RegExp'], error);
  if (typeof error === 'string') {
    if (args.length === 2) throw badType();
    // throws(fn, 'text') reads as if the text were expected; it is the message.
    if (typeof actual === 'object' && actual !== null) {
      if (actual.message === error) {
        throw new ERR_AMBIGUOUS_ARGUMENT('error/message',
          `The error message "${actual.message}" is identical to the message.`);
      }
    } else if (actual === error) {
      throw new ERR_AMBIGUOUS_ARGUMENT('error/message',
        `The error "${actual}" is identical to the message.`);
    }
    message = error;
    error = undefined;
  } else if (error != null && typeof error !== 'object' && typeof error !== 'function') {
    throw badType();
  }
  if (actual === kNothingThrown) {
    const name = error?.name ? ` (${error.name})` : '';
    fail({
      actual: undefined,
      expected: error,
      operator: fn.name,
      message: [`Missing expected ${kindOf(fn)}${name}${message ? `: ${message}` : '.'}`],
      stackStartFn: fn,
    });
  }
  if (error) checkException(actual, error, message, fn);
}

function isExpectedKind(actual, expected) {
  if (typeof expected !== 'function') {
    if (isRegExp(expected)) return matches(expected, String(actual));
    throw new ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (Object.prototype.isPrototypeOf.call(Error, expected)) return false;
  return Reflect.apply(expected, {}, [actual]) === true;
}

function expectNoException(fn, actual, error, message) {
  if (actual === kNothingThrown) return;
  if (typeof error === 'string') {
    message = error;
    error = undefined;
  }
  if (!error || isExpectedKind(actual, error)) {
    fail({
      actual,
      expected: error,
      operator: fn.name,
      message: [`Got unwanted ${kindOf(fn)}${message ? `: ${message}` : '.'}\n` +
        `Actual message: "${actual?.message}"`],
      stackStartFn: fn,
    });
  }
  throw actual;
}

function catchFrom(fn) {
  validateFunction(fn, 'fn');
  try {
    fn();
  } catch (error) {
    return error;
  }
  return kNothingThrown;
}

function isThenable(value) {
  return isPromise(value) || (value !== null && typeof value === 'object' &&
    typeof value.then === 'function' && typeof value.catch === 'function');
}

async function catchFromPromise(promiseFn) {
  let promise = promiseFn;
  if (typeof promiseFn === 'function') {
    promise = promiseFn();
    if (!isThenable(promise)) {
      throw new ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise);
    }
  } else if (!isThenable(promise)) {
    throw new ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], promiseFn);
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return kNothingThrown;
}

module.exports = { catchFrom, catchFromPromise, expectException, expectNoException };
