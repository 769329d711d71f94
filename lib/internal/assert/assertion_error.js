'use strict';
// AssertionError, with the message made from the values when none is given.

const { validateObject } = require('internal/validators');
const { inspect } = require('internal/util/inspect');

const kLongestString = 512;
const kMostStringLines = 10;

function isErrorWithStack(value) {
  return typeof value === 'object' && value !== null && 'stack' in value && value instanceof Error;
}

// An error without its stack: two stacks are always different, and of no interest here.
function copyError(source) {
  const target = Object.assign({ __proto__: Object.getPrototypeOf(source) }, source);
  Object.defineProperty(target, 'message', { __proto__: null, value: source.message });
  if (Object.hasOwn(source, 'cause')) {
    const { cause } = source;
    const copy = isErrorWithStack(cause) ? copyError(cause) : cause;
    Object.defineProperty(target, 'cause', { __proto__: null, value: copy });
  }
  return target;
}

const kWithDiff = ['deepStrictEqual', 'partialDeepStrictEqual', 'strictEqual'];

function makeMessage({ message, operator, actual, expected, diff: extent }) {
  const wantsDiff = kWithDiff.includes(operator);
  const isFull = extent === 'full';
  if (message != null && !wantsDiff) return String(message);
  const diff = require('internal/assert/diff');
  require('internal/util/colors').refresh();
  if (isErrorWithStack(actual) && isErrorWithStack(expected)) {
    actual = copyError(actual);
    expected = copyError(expected);
  }
  if (wantsDiff) return diff.createDiff(actual, expected, operator, message, isFull);
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') {
    return diff.describeUnwanted(actual, operator, isFull);
  }
  return diff.describePair(actual, expected, operator, isFull);
}

function shortenString(string) {
  const lines = string.split('\n', kMostStringLines + 1);
  if (lines.length > kMostStringLines) return `${lines.slice(0, kMostStringLines).join('\n')}\n...`;
  // It is the end that Node shows.
  return string.length > kLongestString ? `${string.slice(kLongestString)}...` : string;
}

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, stackStartFn, details, stackStartFunction } = options;
    // The stack is taken below, from the function the user called.
    const limit = Error.stackTraceLimit;
    setStackTraceLimit(0);
    try {
      super(makeMessage(options));
    } finally {
      setStackTraceLimit(limit);
    }
    this.generatedMessage = !message;
    // With the code in it while the stack is made.
    Object.defineProperty(this, 'name', {
      __proto__: null,
      value: 'AssertionError [ERR_ASSERTION]',
      enumerable: false,
      writable: true,
      configurable: true,
    });
    this.code = 'ERR_ASSERTION';
    if (details) {
      this.actual = undefined;
      this.expected = undefined;
      this.operator = undefined;
      details.forEach((detail, i) => {
        this[`message ${i}`] = detail.message;
        this[`actual ${i}`] = detail.actual;
        this[`expected ${i}`] = detail.expected;
        this[`operator ${i}`] = detail.operator;
        this[`stack trace ${i}`] = detail.stack;
      });
    } else {
      this.actual = options.actual;
      this.expected = options.expected;
      this.operator = operator;
    }
    Error.captureStackTrace(this, stackStartFn || stackStartFunction);
    this.stack; // eslint-disable-line no-unused-expressions
    this.name = 'AssertionError';
    this.diff = options.diff === undefined ? 'simple' : options.diff;
  }

  toString() {
    return `${this.name} [${this.code}]: ${this.message}`;
  }

  [inspect.custom](recurseTimes, ctx) {
    // Long strings would be printed twice, here and in the message.
    const { actual, expected } = this;
    if (typeof actual === 'string') this.actual = shortenString(actual);
    if (typeof expected === 'string') this.expected = shortenString(expected);
    const result = inspect(this, { ...ctx, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return result;
  }
}

function setStackTraceLimit(limit) {
  // Users may have frozen Error.
  try {
    Error.stackTraceLimit = limit;
  } catch {
    // Then the stack is taken twice.
  }
}

module.exports = AssertionError;
