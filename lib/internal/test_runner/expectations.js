'use strict';
// The option expectFailure: of a test that has to fail, perhaps with a certain error.

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { isRegExp } = require('internal/util/types');
const { ERR_TEST_FAILURE, kinds } = require('internal/test_runner/failure');

function expectation(label, match) {
  return { __proto__: null, label, match };
}

// false, or { label, match }
function parse(value) {
  if (value === undefined || value === false) return false;
  if (typeof value === 'string') return expectation(value, undefined);
  if (typeof value === 'function' || isRegExp(value)) return expectation(undefined, value);
  if (typeof value !== 'object') return expectation(undefined, undefined);
  const keys = Object.keys(value);
  if (keys.length === 0) {
    throw new ERR_INVALID_ARG_VALUE('options.expectFailure', value, 'must not be an empty object');
  }
  if (keys.every((key) => key === 'label' || key === 'match')) {
    return expectation(value.label, value.match);
  }
  return expectation(undefined, value);
}

// The error of a test that failed in another way; undefined if it is as expected.
function mismatch({ match }, error) {
  if (match === undefined) return undefined;
  const thrown = error?.code === 'ERR_TEST_FAILURE' && error.failureType === kinds.code &&
    error.cause ? error.cause : error;
  try {
    require('assert').throws(() => { throw thrown; }, match);
    return undefined;
  } catch (cause) {
    const failure = new ERR_TEST_FAILURE(
      'The test failed, but the error did not match the expected validation', kinds.code);
    failure.cause = cause;
    return failure;
  }
}

module.exports = { mismatch, parse };
