'use strict';
// A suite: its function is called at once and adds what it consists of, which runs later.

const { once } = require('internal/util');
const { ERR_TEST_FAILURE, kinds, toFailure } = require('internal/test_runner/failure');
const { SuiteContext, TestContext } = require('internal/test_runner/contexts');
const { stopWhen } = require('internal/test_runner/stop');
const { Test } = require('internal/test_runner/test');
const { aroundTest } = require('internal/test_runner/tracing');

const ignore = Function.prototype;

class Suite extends Test {
  reportedType = 'suite';
  isBuilt = false;
  #testContext;
  #trace;

  constructor(options) {
    super(options);
    if (options.timeout == null) this.timeout = null;
    // What is in it may be wanted, though the suite is not.
    if (this.config.testNamePatterns !== null && this.config.testSkipPatterns !== null &&
        !options.skip) {
      this.fn = options.fn || this.fn;
      this.skipped = false;
    }
    this.built = this.#build();
    this.fn = ignore;
  }

  async #build() {
    const trace = aroundTest(this);
    try {
      const context = this.runContext;
      await this.runInAsyncScope(trace.wrap(this.fn), context, context);
    } catch (error) {
      trace.failed(error);
      this.fail(new ERR_TEST_FAILURE(error, kinds.code));
    }
    this.#trace = trace;
    this.isBuilt = true;
  }

  // For getTestContext().
  get context() {
    this.#testContext ??= new TestContext(this);
    return this.#testContext;
  }

  get runContext() {
    return new SuiteContext(this);
  }

  async passOver() {
    await this.built;
    return super.passOver();
  }

  async run() {
    this.inheritHooks();
    const context = this.runContext;
    const { parent } = this;
    const after = once(() => this.runHooks('after', context), { preserveReturnValue: true });
    let stop;
    try {
      parent.subtests.running++;
      await this.built;
      this.startTime = process.hrtime.bigint();
      if (this.stopIfAborted()) {
        this.subtests.all = [];
        this.postRun();
        return;
      }
      if (parent.hooks.before.length > 0) await parent.runHooks('before', parent.runContext);
      await this.runHooks('before', context);
      stop = stopWhen(this.timeout, this.signal);
      const tests = this.skipped || this.error ? [] : this.subtests.all;
      await Promise.race([Promise.all(tests.map((test) => test.start())), stop.promise]);
      await after();
      this.pass();
    } catch (error) {
      await after().catch(ignore); // it fails already
      this.fail(toFailure(error));
    } finally {
      stop?.dispose();
      this.#trace?.ended();
      this.#trace = undefined;
    }
    this.postRun();
  }
}

module.exports = { Suite };
