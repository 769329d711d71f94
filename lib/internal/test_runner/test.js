'use strict';
// A test: its function, its subtests, its hooks, and what becomes of them. The root of all tests, suites and hooks are
// tests of a kind. What a test makes asynchronously is known to belong to it, because the test is an
// AsyncResource (internal/test_runner/harness).

const { AsyncResource } = require('async_hooks');
const { AbortError, codes: { ERR_INVALID_ARG_TYPE } } = require('internal/errors');
const { kResistStopPropagation } = require('internal/event_target');
const { once } = require('internal/util');
const { isPromise } = require('internal/util/types');
const { TIMEOUT_MAX } = require('internal/timers');
const {
  validateAbortSignal, validateNumber, validateString, validateUint32,
} = require('internal/validators');
const { ERR_TEST_FAILURE, isTestFailure, kinds, toFailure } =
  require('internal/test_runner/failure');
const { TestContext } = require('internal/test_runner/contexts');
const expectations = require('internal/test_runner/expectations');
const { filterByNameAndTag, filterByOnly, isFiltered } = require('internal/test_runner/filters');
const { toPath } = require('internal/test_runner/location');
const { stopWhen } = require('internal/test_runner/stop');
const { Subtests } = require('internal/test_runner/subtests');
const { noTags, toTags } = require('internal/test_runner/tags');
const { SilentStream, TestsStream } = require('internal/test_runner/tests_stream');
const { aroundTest } = require('internal/test_runner/tracing');

const ignore = Function.prototype;
const silent = new SilentStream();
const now = process.hrtime.bigint;

// (name, options, fn), where each may be left out
function sortArguments(name, options, fn) {
  if (typeof name === 'function') {
    fn = name;
  } else if (name !== null && typeof name === 'object') {
    fn = options;
    options = name;
  } else if (typeof options === 'function') {
    fn = options;
  }
  return { __proto__: null, fn, name, ...(typeof options === 'object' ? options : undefined) };
}

function concurrencyOf(value, parent) {
  switch (typeof value) {
    case 'number':
      validateUint32(value, 'options.concurrency', true);
      return value;
    case 'boolean':
      if (!value) return 1;
      return parent === null ? Math.max(require('os').availableParallelism() - 1, 1) : Infinity;
    default:
      if (value != null) {
        throw new ERR_INVALID_ARG_TYPE('options.concurrency', ['boolean', 'number'], value);
      }
      return parent === null ? 1 : parent.subtests.concurrency;
  }
}

// Milliseconds; null for no limit.
function timeoutOf(value, config, inherited) {
  if (value === Infinity) return inherited;
  const name = value == null ? 'this.config.timeout' : 'options.timeout';
  value ??= config.timeout;
  if (value == null || value === Infinity) return inherited;
  validateNumber(value, name, 0, TIMEOUT_MAX);
  return value;
}

class Test extends AsyncResource {
  reportedType = 'test';
  abortController = new AbortController();
  diagnostics = [];
  error = null;
  passed = false;
  cancelled = false;
  filtered = false;
  finished = false;
  startTime = null;
  endTime = null;
  mock = null;
  plan = null;
  attempt = undefined;
  passedAttempt = undefined;
  testNumber = 0; // in the report of its parent
  place = 0; // among its siblings, as they are reported
  isUnwantedByName = false;
  isUnwantedByTag = false;
  hasOnlyTests = false;
  runsOnlySubtests = false;
  hooks = { __proto__: null, before: [], after: [], beforeEach: [], afterEach: [] };
  #ownAfterEach = 0;
  #context;
  #expectedAssertions;
  #isStarted = false; // as reporters see it
  #outerSignal;
  #tags;

  constructor(options) {
    super('Test');
    const { parent = null, signal, skip, todo } = options;
    this.fn = typeof options.fn === 'function' ? options.fn : ignore;
    this.name = typeof options.name === 'string' && options.name !== '' ? options.name :
      this.fn.name || '<anonymous>';
    this.parent = parent;
    this.#setTags(options.tags);
    if (parent === null) this.#setUpRoot(options);
    else this.#setUpIn(parent, options);
    const { config } = this;
    this.subtests = new Subtests(this, concurrencyOf(options.concurrency, parent),
      config.randomize ? config.randomSeed : undefined);
    this.timeout = timeoutOf(options.timeout, config, parent === null ? null : parent.timeout);
    if (skip) this.fn = ignore;
    this.signal = this.abortController.signal;
    validateAbortSignal(signal, 'options.signal');
    this.#outerSignal = signal;
    signal?.addEventListener('abort', this.#onAbort,
      { __proto__: null, [kResistStopPropagation]: true });
    this.#expectedAssertions = options.plan;
    this.expectFailure = expectations.parse(options.expectFailure) || parent?.expectFailure;
    this.skipped = skip !== undefined && skip !== false;
    this.isTodo = (todo !== undefined && todo !== false) || parent?.isTodo;
    this.message = [skip, todo].find((text) => typeof text === 'string') ?? null;
    this.location = toPath(this.#originalLocation(options.location));
    if (this.location !== undefined && this.root.harness.previousRuns) {
      require('internal/test_runner/run/rerun').replay(this);
    }
  }

  #setTags(values) {
    const own = values === undefined ? noTags : toTags(values, 'options.tags');
    const outer = this.parent?.tagSet;
    this.tagSet = outer?.size > 0 ? new Set([...outer, ...own]) : new Set(own);
  }

  #setUpRoot({ harness, entryFile }) {
    this.root = this;
    this.harness = harness;
    this.config = harness.config;
    this.nesting = 0;
    this.only = this.config.only;
    this.runsOnlySubtests = this.only;
    this.reporter = new TestsStream();
    this.entryFile = entryFile;
    this.testId = 0;
    this.lastTestId = 0;
  }

  #setUpIn(parent, { only }) {
    const { root } = parent;
    this.root = root;
    this.config = root.config;
    this.nesting = parent.parent === null ? parent.nesting : parent.nesting + 1;
    this.only = only;
    this.reporter = parent.reporter;
    this.entryFile = parent.entryFile;
    this.testId = ++root.lastTestId;
    filterByNameAndTag(this, root.harness);
    if (filterByOnly(this, root.harness)) this.fn = ignore;
  }

  // In the source that a source map knows.
  #originalLocation(location) {
    if (location === undefined || this.config.sourceMaps !== true) return location;
    const { findSourceMap } = require('internal/source_map/support');
    const entry = findSourceMap(location.file)?.findEntry(location.line - 1, location.column - 1);
    if (entry?.originalSource === undefined) return location;
    return {
      __proto__: null,
      line: entry.originalLine + 1,
      column: entry.originalColumn + 1,
      file: entry.originalSource,
    };
  }

  get tags() {
    this.#tags ??= this.tagSet.size === 0 ? noTags : Object.freeze([...this.tagSet]);
    return this.#tags;
  }

  get context() {
    this.#context ??= new TestContext(this);
    return this.#context;
  }

  // What the function is called with, and as what.
  get runContext() {
    return this.context;
  }

  // ---- Adding ----

  addTest(name, options, fn, overrides, Kind = Test) {
    const isOver = this.finished || this.isBuilt;
    const parent = isOver ? this.root : this; // where it can be reported
    const test = new Kind({ __proto__: null, ...sortArguments(name, options, fn), ...overrides, parent });
    if (isOver) {
      test.fail(new ERR_TEST_FAILURE('test could not be started because its parent finished',
        kinds.parentFinished));
    }
    parent.subtests.add(test);
    return test;
  }

  addHook(name, fn, options, location) {
    const { Hook } = require('internal/test_runner/hook');
    const hook = new Hook(this, name, fn, options, location);
    if (name === 'before' && this.startTime !== null) {
      // The test runs already.
      hook.run(this.runContext).then(() => {
        if (hook.error != null) this.fail(hook.error);
      });
    }
    // Those of the test itself come before those it has from outside.
    if (name === 'afterEach') this.hooks.afterEach.splice(this.#ownAfterEach++, 0, hook);
    else this.hooks[name].push(hook);
  }

  inheritHooks() {
    const { beforeEach, afterEach } = this.parent.hooks;
    this.hooks.beforeEach.unshift(...beforeEach);
    this.hooks.afterEach.push(...afterEach);
  }

  // ---- What becomes of it ----

  fail(error) {
    if (this.error !== null) return;
    const mismatch = this.expectFailure ? expectations.mismatch(this.expectFailure, error) :
      undefined;
    this.passed = Boolean(this.expectFailure) && mismatch === undefined;
    this.error = mismatch ?? error;
  }

  pass() {
    if (this.error !== null) return;
    if (this.expectFailure && !this.skipped) {
      this.passed = false;
      this.error = new ERR_TEST_FAILURE('test was expected to fail but passed', kinds.expected);
      return;
    }
    this.passed = true;
  }

  skip(message) {
    this.skipped = true;
    this.message = message;
  }

  todo(message) {
    this.isTodo = true;
    this.message = message;
  }

  diagnostic(message) {
    this.diagnostics.push(message);
  }

  log(message, data) {
    validateString(message, 'message');
    this.reporter.reportEvent('test:log', {
      __proto__: null,
      name: this.name,
      nesting: this.nesting,
      testId: this.testId,
      parentId: this.parent?.testId,
      message,
      data,
      ...this.location,
    });
  }

  #onAbort = () => {
    const error = this.#outerSignal?.reason || new AbortError('The test was aborted');
    error.failureType = kinds.aborted;
    this.cancel(error);
  };

  get outerAborted() { return this.#outerSignal?.aborted === true; }

  cancel(error) {
    if (this.endTime !== null || this.error !== null) return;
    this.fail(error || new ERR_TEST_FAILURE(
      'test did not finish before its parent and was cancelled', kinds.cancelledByParent));
    this.cancelled = true;
    this.abortController.abort();
  }

  stopIfAborted() {
    if (!this.signal.aborted && !this.outerAborted) return false;
    this.#onAbort();
    return true;
  }

  // ---- Running ----

  // A promise for when it has run.
  start() {
    const { parent } = this;
    if (isFiltered(this)) {
      this.filtered = true;
      this.reporter = silent;
      this.run = this.passOver;
    } else {
      this.testNumber = ++parent.subtests.reported;
    }
    parent.subtests.begin(this);
    this.reportEvent('test:enqueue', { __proto__: null, type: this.reportedType });
    if (this.root.harness.buildPromise || !parent.subtests.hasRoom) {
      return parent.subtests.enqueue(this);
    }
    if (parent.subtests.random !== null) {
      const done = parent.subtests.enqueue(this);
      parent.subtests.drainSoon();
      return done;
    }
    parent.subtests.placeOf(this);
    this.reportEvent('test:dequeue', { __proto__: null, type: this.reportedType });
    return this.run();
  }

  // Instead of run(), for a test that is filtered out.
  async passOver() {
    this.pass();
    this.subtests.all = [];
    this.report = ignore;
    queueMicrotask(() => this.postRun());
  }

  async runHooks(name, context) {
    try {
      const hooks = this.hooks[name];
      for (let i = 0; i < hooks.length; i++) {
        await hooks[i].run(context);
        if (hooks[i].error) throw hooks[i].error;
      }
    } catch (error) {
      const failure = new ERR_TEST_FAILURE(`failed running ${name} hook`, kinds.hook);
      failure.cause = isTestFailure(error) ? error.cause : error;
      throw failure;
    }
  }

  async run() {
    const { parent } = this;
    if (parent !== null) {
      parent.subtests.running++;
      this.inheritHooks();
    }
    this.startTime ??= now();
    if (this.stopIfAborted()) {
      this.postRun();
      return;
    }
    const context = this.runContext;
    if (this.plan === null && this.#expectedAssertions) context.plan(this.#expectedAssertions);
    await this.#runGuarded(context);
    if (parent !== null || this.hookName !== undefined) this.postRun();
    else if (this.config.forceExit) await require('internal/test_runner/harness').forceExit(this);
  }

  async #runGuarded(context) {
    const { parent } = this;
    const wasSkipped = this.skipped;
    const afterEach = once(async () => {
      if (parent?.hooks.afterEach.length > 0 && !wasSkipped) {
        await parent.runHooks('afterEach', context);
      }
    }, { preserveReturnValue: true });
    const trace = this.hookName === undefined ? aroundTest(this) : undefined;
    let stop;
    try {
      if (parent?.hooks.before.length > 0) await parent.runHooks('before', parent.runContext);
      if (parent?.hooks.beforeEach.length > 0 && !this.skipped) {
        await parent.runHooks('beforeEach', context);
      }
      stop = stopWhen(this.timeout, this.signal);
      await this.#runFunction(context, stop, trace);
      this.pass();
      await afterEach();
      if (this.hooks.after.length > 0) await this.runHooks('after', context);
    } catch (error) {
      trace?.failed(error);
      this.#failWith(error);
      await afterEach().catch(ignore); // it fails already
      if (this.hooks.after.length > 0) await this.runHooks('after', context).catch(ignore);
    } finally {
      stop?.dispose();
      // Hooks are run again, and the root continues.
      if (parent !== null) this.abortController.abort();
      trace?.ended();
    }
  }

  #failWith(error) {
    if (isTestFailure(error) && error.failureType === kinds.timeout) this.cancel(error);
    else this.fail(toFailure(error));
  }

  // The function, its subtests and its plan.
  async #runFunction(context, stop, trace) {
    await Promise.race([this.#call(context, trace), stop.promise]);
    this.stopIfAborted();
    const { finished } = this.subtests;
    if (finished !== null) await Promise.race([finished.promise, stop.promise]);
    const planned = this.plan?.check();
    if (planned) await Promise.race([planned, stop.promise]);
  }

  // A function with one parameter more than the context takes a callback.
  #call(context, trace) {
    const fn = trace?.wrap(this.fn) ?? this.fn;
    if (this.fn.length !== 2) return this.runInAsyncScope(fn, context, context);
    const { promise, resolve, reject } = Promise.withResolvers();
    let calls = 0;
    const returned = this.runInAsyncScope(fn, context, context, (error) => {
      if (++calls === 2) {
        throw new ERR_TEST_FAILURE('callback invoked multiple times', kinds.callbackTwice);
      }
      if (calls > 2) return;
      if (error) reject(error);
      else resolve();
    });
    if (!isPromise(returned)) return promise;
    this.fail(new ERR_TEST_FAILURE('passed a callback but also returned a Promise',
      kinds.callbackAndPromise));
    return returned;
  }

  // ---- Reporting ----

  // `unfinished` is the error of subtests that have not ended.
  postRun(unfinished) {
    // It may have been cancelled before it began.
    this.endTime ??= now();
    this.startTime ??= this.endTime;
    this.subtests.dropPending();
    let failed = 0;
    for (const test of this.subtests.all) {
      if (!test.finished) {
        test.cancel(unfinished);
        test.postRun(unfinished);
      }
      if (!test.passed && !test.isTodo) failed++;
    }
    if (failed > 0 && (this.passed || this.parent === null)) {
      this.fail(new ERR_TEST_FAILURE(`${failed} subtest${failed > 1 ? 's' : ''} failed`,
        kinds.subtests));
    }
    this.#outerSignal?.removeEventListener('abort', this.#onAbort);
    this.mock?.reset();
    if (this.parent === null) require('internal/test_runner/summary').report(this);
    else this.#end();
  }

  #end() {
    const siblings = this.parent.subtests;
    if (!this.filtered) {
      this.testNumber ||= ++siblings.reported;
      const { details, directive } = this.#outcome();
      details.passed = this.passed;
      this.#reportOutcome('test:complete', details, directive);
      siblings.running--;
    }
    siblings.end(this);
    siblings.report(false);
    siblings.drain();
  }

  // Whether this test is next in the report.
  mayReport() {
    const { parent } = this;
    return parent === null || (parent.subtests.isNext(this) && parent.mayReport());
  }

  // It has ended with all its subtests, and is next in the report.
  finalize() {
    const { parent, root } = this;
    this.subtests.report(true);
    this.report();
    parent.subtests.wasReported();
    this.finished = true;
    // Something may keep the loop alive: after() of the root can end it.
    if (parent === root && root.subtests.allReported) root.run();
  }

  get duration() {
    return Number(this.endTime - this.startTime) / 1e6;
  }

  #outcome() {
    const { attempt, message, passedAttempt } = this;
    const details = { __proto__: null, duration_ms: this.duration, type: this.reportedType };
    if (!this.passed) details.error = this.error;
    if (attempt !== undefined) details.attempt = attempt;
    if (passedAttempt !== undefined) details.passed_on_attempt = passedAttempt;
    const directive = { __proto__: null };
    if (this.skipped) directive.skip = message ?? true;
    else if (this.isTodo) directive.todo = message ?? true;
    else if (this.expectFailure) directive.expectFailure = this.expectFailure.label ?? true;
    return { details, directive };
  }

  #reportOutcome(type, details, directive) {
    this.reporter.reportEvent(type, {
      __proto__: null,
      name: this.name,
      nesting: this.nesting,
      testNumber: this.testNumber,
      testId: this.testId,
      parentId: this.parent?.testId,
      details,
      tags: [...this.tags],
      ...this.location,
      ...directive,
    });
  }

  reportEvent(type, more = undefined) {
    this.reporter.reportEvent(type, {
      __proto__: null,
      nesting: this.nesting,
      name: this.name,
      ...more,
      testId: this.testId,
      parentId: this.parent?.testId,
      tags: [...this.tags],
      ...this.location,
    });
  }

  reportPlan(nesting, count) {
    this.reporter.reportEvent('test:plan', { __proto__: null, nesting, count, ...this.location });
  }

  reportDiagnostic(message, level = 'info') {
    this.reporter.reportEvent('test:diagnostic',
      { __proto__: null, nesting: this.nesting, message, level, ...this.location });
  }

  report() {
    require('internal/test_runner/summary').count(this.root.harness, this);
    const { all, reported } = this.subtests;
    if (reported > 0) this.reportPlan(all[0].nesting, reported);
    else this.reportStarted();
    const { details, directive } = this.#outcome();
    this.#reportOutcome(this.passed ? 'test:pass' : 'test:fail', details, directive);
    for (const message of this.diagnostics) this.reportDiagnostic(message);
  }

  // Those around it have begun before it.
  reportStarted() {
    if (this.#isStarted || this.parent === null) return;
    this.#isStarted = true;
    this.parent.reportStarted();
    this.reportEvent('test:start');
  }
}

module.exports = { Test };
