'use strict';
// A hook: a function that runs before or after a test or suite, or each of its tests. It is run as a test, and fails
// as one, but is not part of the tree.

const { once } = require('internal/util');
const { isTestFailure, kinds } = require('internal/test_runner/failure');
const { Test } = require('internal/test_runner/test');

class Hook extends Test {
  reportedType = 'hook';
  #runContext;

  constructor(owner, hookName, fn, options, location) {
    const { timeout, signal } = { ...options };
    super({ __proto__: null, fn, location, timeout, signal, harness: owner.root.harness });
    this.owner = owner;
    this.hookName = hookName;
    if (hookName === 'before' || hookName === 'after') {
      this.run = once(this.run, { preserveReturnValue: true });
    }
  }

  get context() { return this.owner.context; }
  get runContext() { return this.#runContext; }

  run(context) {
    // What failed for another test restarts.
    if (this.error && !this.outerAborted) {
      this.passed = false;
      this.error = null;
      this.abortController.abort();
      this.abortController = new AbortController();
      this.signal = this.abortController.signal;
    }
    this.#runContext = context;
    return super.run();
  }

  // Nobody else reports a failure of after() of the root.
  postRun() {
    const { error, location, owner } = this;
    if (!error || owner !== owner.root || this.hookName !== 'after') return;
    if (isTestFailure(error)) error.failureType = kinds.hook;
    this.endTime ??= process.hrtime.bigint();
    owner.reporter.reportEvent('test:fail', {
      __proto__: null,
      name: location.file,
      nesting: 0,
      testNumber: owner.subtests.all.length + 1,
      testId: undefined,
      parentId: undefined,
      details: { __proto__: null, duration_ms: this.duration, error },
      tags: [...owner.tags],
      ...location,
    });
  }
}

module.exports = { Hook };
