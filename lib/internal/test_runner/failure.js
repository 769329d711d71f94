'use strict';
// Why a test failed: an error of the code ERR_TEST_FAILURE, which describes the kind of failure.

const { codes: { ERR_TEST_FAILURE }, kIsNodeError } = require('internal/errors');

// As events show them (error.failureType).
const kinds = {
  __proto__: null,
  aborted: 'testAborted',
  callbackAndPromise: 'callbackAndPromisePresent',
  callbackTwice: 'multipleCallbackInvocations',
  cancelledByParent: 'cancelledByParent',
  code: 'testCodeFailure',
  expected: 'expectedFailure',
  hook: 'hookFailed',
  parentFinished: 'parentAlreadyFinished',
  subtests: 'subtestsFailed',
  timeout: 'testTimeoutFailure',
};

// Of these, reporters show the error of the program, which is the cause.
const unwrapped = new Set([kinds.code, kinds.hook, 'uncaughtException', 'unhandledRejection']);

// Tests that failed so count as cancelled.
const cancelled = new Set([kinds.aborted, kinds.cancelledByParent, kinds.timeout]);

function isTestFailure(error) {
  return error?.code === 'ERR_TEST_FAILURE' && kIsNodeError in error;
}

// What a test has thrown, unless it is a failure already.
function toFailure(error) {
  return isTestFailure(error) ? error : new ERR_TEST_FAILURE(error, kinds.code);
}

module.exports = { ERR_TEST_FAILURE, cancelled, isTestFailure, kinds, toFailure, unwrapped };
