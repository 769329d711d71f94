'use strict';
// What the functions of tests and suites are given.

const { TIMEOUT_MAX } = require('internal/timers');
const { assertionsOf } = require('internal/test_runner/assertions');
const { ERR_TEST_FAILURE, kinds } = require('internal/test_runner/failure');
const { callerOf } = require('internal/test_runner/location');
const { Plan } = require('internal/test_runner/plan');
const { validateFunction, validateNumber, validateObject } = require('internal/validators');
const { clearTimeout, setTimeout } = require('timers');

function fullNameOf(test) {
  let name = test.name;
  for (let outer = test.parent; outer && outer !== test.root; outer = outer.parent) {
    name = `${outer.name} > ${name}`;
  }
  return name;
}

// Calls `condition` again and again until it does not throw.
function waitFor(condition, options = {}) {
  validateFunction(condition, 'condition');
  validateObject(options, 'options');
  const { interval = 50, timeout = 1000 } = options;
  validateNumber(interval, 'options.interval', 0, TIMEOUT_MAX);
  validateNumber(timeout, 'options.timeout', 0, TIMEOUT_MAX);

  const { promise, resolve, reject } = Promise.withResolvers();
  let failure; // { error } of the last attempt
  let poller;
  const limit = setTimeout(() => {
    clearTimeout(poller);
    const error = new Error('waitFor() timed out');
    if (failure !== undefined) error.cause = failure.error;
    reject(error);
  }, timeout);
  const poll = async () => {
    try {
      const result = await condition();
      clearTimeout(limit);
      resolve(result);
    } catch (error) {
      failure = { error };
      poller = setTimeout(poll, interval);
    }
  };
  poll();
  return promise;
}

class TestContext {
  #assert;
  #test;

  constructor(test) {
    this.#test = test;
  }

  get signal() { return this.#test.signal; }
  get name() { return this.#test.name; }
  get filePath() { return this.#test.entryFile; }
  get fullName() { return fullNameOf(this.#test); }
  get error() { return this.#test.error; }
  get passed() { return this.#test.passed; }
  get attempt() { return this.#test.attempt ?? 0; }
  get tags() { return this.#test.tags; }
  get workerId() { return Number(process.env.NODE_TEST_WORKER_ID) || undefined; }

  get mock() {
    if (this.#test.mock === null) {
      const { MockTracker } = require('internal/test_runner/mock/mock');
      this.#test.mock = new MockTracker();
    }
    return this.#test.mock;
  }

  get assert() {
    this.#assert ??= assertionsOf(this, this.#test);
    return this.#assert;
  }

  diagnostic(message) { this.#test.diagnostic(message); }
  log(message, data) { this.#test.log(message, data); }
  runOnly(value) { this.#test.runsOnlySubtests = !!value; }
  skip(message) { this.#test.skip(message); }
  todo(message) { this.#test.todo(message); }

  plan(count, options = undefined) {
    if (this.#test.plan !== null) {
      throw new ERR_TEST_FAILURE('cannot set plan more than once', kinds.code);
    }
    this.#test.plan = new Plan(count, options);
  }

  test(name, options, fn) {
    const location = callerOf(this.test);
    this.#test.plan?.count();
    return this.#test.addTest(name, options, fn, { __proto__: null, location }).start();
  }

  before(fn, options) { this.#test.addHook('before', fn, options, callerOf(this.before)); }
  after(fn, options) { this.#test.addHook('after', fn, options, callerOf(this.after)); }

  beforeEach(fn, options) {
    this.#test.addHook('beforeEach', fn, options, callerOf(this.beforeEach));
  }

  afterEach(fn, options) {
    this.#test.addHook('afterEach', fn, options, callerOf(this.afterEach));
  }

  waitFor(condition, options) { return waitFor(condition, options); }
}

class SuiteContext {
  #suite;

  constructor(suite) {
    this.#suite = suite;
  }

  get signal() { return this.#suite.signal; }
  get name() { return this.#suite.name; }
  get filePath() { return this.#suite.entryFile; }
  get fullName() { return fullNameOf(this.#suite); }
  get passed() { return this.#suite.passed; }
  get attempt() { return this.#suite.attempt ?? 0; }

  diagnostic(message) { this.#suite.diagnostic(message); }
  log(message, data) { this.#suite.log(message, data); }
}

module.exports = { SuiteContext, TestContext };
