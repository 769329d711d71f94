'use strict';
// How many assertions a test has promised to make: context.plan().

const { codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { TIMEOUT_MAX } = require('internal/timers');
const { ERR_TEST_FAILURE, kinds } = require('internal/test_runner/failure');
const { validateNumber, validateObject, validateUint32 } = require('internal/validators');
// As they are now: tests may replace them.
const { clearTimeout, setTimeout } = require('timers');

function validateWait(wait) {
  if (wait === undefined || typeof wait === 'boolean') return;
  if (typeof wait !== 'number') {
    throw new ERR_INVALID_ARG_TYPE('options.wait', ['boolean', 'number'], wait);
  }
  validateNumber(wait, 'options.wait', 0, TIMEOUT_MAX);
}

class Plan {
  #waiting; // { promise, resolve, reject } while the end of the test waits for assertions
  #timer;

  constructor(count, options = {}) {
    validateUint32(count, 'count');
    validateObject(options, 'options');
    validateWait(options.wait);
    this.expected = count;
    this.actual = 0;
    this.wait = options.wait;
  }

  count() {
    this.actual++;
    if (this.#waiting !== undefined && this.actual === this.expected) this.#finish();
  }

  // Throws if it was not kept. A promise, if there is still time to keep it.
  check() {
    if (this.actual === this.expected) return undefined;
    const { wait } = this;
    if (wait === undefined || wait === false) {
      throw new ERR_TEST_FAILURE(
        `plan expected ${this.expected} assertions but received ${this.actual}`, kinds.code);
    }
    this.#waiting = Promise.withResolvers();
    if (wait !== true) this.#timer = setTimeout(() => this.#timeOut(), wait);
    return this.#waiting.promise;
  }

  #finish() {
    clearTimeout(this.#timer);
    this.#waiting.resolve();
    this.#waiting = undefined;
  }

  #timeOut() {
    this.#waiting.reject(new ERR_TEST_FAILURE(
      `plan timed out after ${this.wait}ms with ${this.actual} assertions when expecting ` +
      `${this.expected}`, kinds.timeout));
  }
}

module.exports = { Plan };
