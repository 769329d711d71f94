'use strict';
// Tests and suites of node:test: a tree of which each part runs after the one before it.

const { validateAbortSignal, validateFunction, validateNumber, validateUint32 } = require('internal/validators');
const { MockTracker } = require('internal/test/mock');
const { now } = binding('performance');

const ignore = () => {};
const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };

function testFailure(message) {
  return Object.assign(new Error(message), { code: 'ERR_TEST_FAILURE' });
}

// Where the program registers what it registers.
function callerLocation() {
  const frame = new Error().stack.split('\n').slice(1).find((line) => !line.includes('node:'));
  return frame?.match(/\(?((?:file:|\/)[^()]*:\d+:\d+)\)?$/)?.[1];
}

class TestContext {
  #test;

  constructor(test) {
    this.#test = test;
  }

  get signal() { return this.#test.signal; }
  get name() { return this.#test.name; }
  get fullName() { return this.#test.fullName; }
  get error() { return this.#test.failure?.error ?? null; }
  get passed() { return this.#test.failure === undefined; }
  get mock() { return this.#test.mock; }

  get assert() {
    const { checks } = this.#test;
    if (checks.wrapped === undefined) {
      const assert = require('assert');
      checks.wrapped = {};
      for (const name of Object.keys(assert)) {
        if (typeof assert[name] !== 'function' || /^[A-Z]|^strict$/.test(name)) continue;
        checks.wrapped[name] = (...args) => {
          checks.made++;
          return assert[name](...args);
        };
      }
    }
    return checks.wrapped;
  }

  plan(count) {
    validateUint32(count, 'count');
    this.#test.checks.planned = count;
  }

  diagnostic(message) { this.#test.diagnostics.push(String(message)); }
  runOnly() {}
  skip(message) { this.#test.skipped = typeof message === 'string' ? message : ''; }
  todo(message) { this.#test.todo = typeof message === 'string' ? message : ''; }

  test(name, options, fn) {
    this.#test.checks.made++;
    const child = addTest(this.#test, name, options, fn, undefined, false);
    return this.#test.runChild(child);
  }

  before(fn, options) { this.#test.hooks.before.push({ fn, options }); }
  after(fn, options) { this.#test.hooks.after.push({ fn, options }); }
  beforeEach(fn, options) { this.#test.hooks.beforeEach.push({ fn, options }); }
  afterEach(fn, options) { this.#test.hooks.afterEach.push({ fn, options }); }
}

class SuiteContext {
  #suite;

  constructor(suite) {
    this.#suite = suite;
  }

  get signal() { return this.#suite.signal; }
  get name() { return this.#suite.name; }
  get fullName() { return this.#suite.fullName; }
}

class Test {
  diagnostics = [];
  hooks = { before: [], after: [], beforeEach: [], afterEach: [] };
  checks = { made: 0, planned: undefined, wrapped: undefined };
  children = [];
  failure = undefined; // { type, error }
  skipped = undefined; // the reason, maybe empty
  todo = undefined;
  duration = 0;
  finished = false;
  #queue = Promise.resolve(); // the subtests of a test, in order
  #reported = 0;
  #failedChildren = 0;
  #beforeRan = false;
  #controller;
  #interrupt; // rejects what the function returned, in its place
  #mock;

  constructor(parent, isSuite, name, options, fn, location) {
    this.parent = parent;
    this.depth = parent === null || parent.parent === null ? 0 : parent.depth + 1;
    this.isSuite = isSuite;
    this.name = name;
    this.options = options;
    this.fn = fn;
    this.location = location;
    if (options.skip) this.skipped = typeof options.skip === 'string' ? options.skip : '';
    if (options.todo) this.todo = typeof options.todo === 'string' ? options.todo : '';
    this.done = new Promise((resolve) => { this.resolve = resolve; });
  }

  get fullName() {
    return this.parent?.parent ? `${this.parent.fullName} > ${this.name}` : this.name;
  }

  get signal() {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  get mock() {
    this.#mock ??= new MockTracker();
    return this.#mock;
  }

  // What went wrong first is what counts.
  fail(error, type = 'testCodeFailure') {
    this.failure ??= { type, error };
  }

  // An error from a callback of the test that nobody awaits.
  interrupt(error, type) {
    this.fail(error, type);
    this.#interrupt?.();
  }

  runChild(child) {
    this.#queue = this.#queue.then(() => child.run());
    return child.done;
  }

  async run() {
    const start = now();
    const outer = current;
    current = this;
    reporter().begin(this);
    if (this.skipped === undefined) await this.#runGuarded();
    this.finished = true;
    this.#controller?.abort();
    this.#mock?.reset();
    this.duration = now() - start;
    current = outer;
    this.parent.report(this);
    this.resolve();
  }

  async #runGuarded() {
    try {
      if (this.isSuite) {
        await this.runChildren();
      } else {
        await this.parent.#runHooksBefore();
        await this.#runEach('beforeEach');
        await this.#runFunction();
        await this.#queue;
        this.#checkPlan();
      }
    } catch (error) {
      this.fail(error);
    }
    if (!this.isSuite) await this.#runEach('afterEach').catch((error) => this.fail(error, 'hookFailed'));
    await this.#runHooks('after').catch((error) => this.fail(error, 'hookFailed'));
    if (this.#failedChildren > 0) {
      const text = `${this.#failedChildren} subtest${this.#failedChildren > 1 ? 's' : ''} failed`;
      this.fail(testFailure(text), 'subtestsFailed');
    }
    if (this.#reported > 0) reporter().plan(this.depth + 1, this.#reported);
  }

  async #runFunction() {
    const context = new TestContext(this);
    const limits = [new Promise((resolve) => { this.#interrupt = resolve; })];
    let timer;
    const { timeout, signal } = this.options;
    if (timeout !== undefined && timeout !== Infinity) {
      limits.push(new Promise((resolve) => {
        timer = setTimeout(() => {
          this.fail(testFailure(`test timed out after ${timeout}ms`),
            'testTimeoutFailure');
          resolve();
        }, timeout);
      }));
    }
    if (signal !== undefined) {
      limits.push(new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          this.fail(signal.reason, 'testAborted');
          resolve();
        }, { once: true });
      }));
    }
    try {
      await Promise.race([callTest(this.fn, context), ...limits]);
    } finally {
      clearTimeout(timer);
    }
  }

  #checkPlan() {
    const { made, planned } = this.checks;
    if (planned !== undefined && made !== planned) {
      throw testFailure(`plan expected ${planned} assertions but received ${made}`);
    }
  }

  async runChildren() {
    for (let i = 0; i < this.children.length; i++) await this.children[i].run();
  }

  async #runHooks(name) {
    const context = this.isSuite ? new SuiteContext(this) : new TestContext(this);
    for (const { fn } of this.hooks[name]) await callTest(fn, context);
  }

  // Before the first of its tests.
  async #runHooksBefore() {
    if (this.#beforeRan) return;
    this.#beforeRan = true;
    await this.parent?.#runHooksBefore();
    await this.#runHooks('before');
  }

  // Those of the outer suites come first, and last of all afterwards.
  async #runEach(name) {
    const owners = [];
    for (let owner = this.parent; owner !== null; owner = owner.parent) owners.push(owner);
    if (name === 'beforeEach') owners.reverse();
    for (const owner of owners) {
      for (const { fn } of owner.hooks[name]) await callTest(fn, new TestContext(this));
    }
  }

  async runRootHooks(name) {
    await this.#runHooks(name);
  }

  report(child) {
    this.#reported++;
    count(child);
    if (child.failure !== undefined && child.todo === undefined) this.#failedChildren++;
    reporter().end(child, this.#reported);
  }

  get reported() { return this.#reported; }
}

// A test with a second parameter takes a callback; otherwise what it returns is awaited.
function callTest(fn, context) {
  if (fn.length < 2) return (async () => fn.call(context, context))();
  return new Promise((resolve, reject) => {
    let called = false;
    const returned = fn.call(context, context, (error) => {
      if (called) {
        current.interrupt(testFailure('callback invoked multiple times'));
        return;
      }
      called = true;
      if (error) reject(error);
      else resolve();
    });
    if (typeof returned?.then === 'function') {
      reject(testFailure('passed a callback but also returned a Promise'));
    }
  });
}

function count(test) {
  if (test.isSuite) {
    counts.suites++;
    return;
  }
  counts.tests++;
  const { failure } = test;
  if (test.skipped !== undefined) counts.skipped++;
  else if (test.todo !== undefined) counts.todo++;
  else if (failure === undefined) counts.pass++;
  else if (['testTimeoutFailure', 'testAborted', 'cancelledByParent'].includes(failure.type)) counts.cancelled++;
  else counts.fail++;
}

// ---- The tree ---------------------------------------------------------------------------------------------------

let root = null;
let current = null; // the test that runs
let collecting = null; // the suite whose function runs
let isRunning = false;

const reporter = () => require('internal/test/tap');

function getRoot() {
  if (root !== null) return root;
  root = new Test(null, true, '<root>', {}, ignore, undefined);
  root.startTime = now();
  const onUncaught = (error) => {
    // To report it would fail in the same way, again and again.
    if (error !== undefined && error === reporter().failure) throw error;
    if (current === null || current === root) {
      root.fail(error);
      process.exitCode = 1;
      reporter().begin({ depth: 0, name: String(error?.message ?? error) });
    } else {
      current.interrupt(error);
    }
  };
  process.on('uncaughtException', onUncaught);
  process.on('unhandledRejection', onUncaught);
  process.on('beforeExit', finish);
  process.on('exit', cancelTheRest);
  schedule();
  return root;
}

function schedule() {
  if (isRunning) return;
  isRunning = true;
  setImmediate(runAll);
}

async function runAll() {
  if (root.started === undefined) reporter().start();
  for (let next = root.started ?? 0; next < root.children.length; next++) {
    root.started = next + 1;
    await root.children[next].run();
  }
  isRunning = false;
}

function finish() {
  if (isRunning) {
    cancelTheRest();
    return;
  }
  if (root.finished) return;
  root.finished = true;
  root.runRootHooks('after').catch((error) => root.fail(error, 'hookFailed')).then(summarize);
}

function summarize() {
  if (root.reported > 0) reporter().plan(0, root.reported);
  reporter().summary(counts, now() - root.startTime);
  if (counts.fail > 0 || counts.cancelled > 0 || root.failure !== undefined) process.exitCode = 1;
}

// The loop has nothing left, and a test still waits.
function cancelTheRest() {
  if (root.finished) return;
  root.finished = true;
  const error = testFailure('Promise resolution is still pending but the event loop has already resolved');
  for (let test = current; test !== null && test !== root; test = test.parent) {
    if (test.finished) continue;
    test.fail(error, 'cancelledByParent');
    test.parent.report(test);
  }
  for (const test of root.children.slice(root.started)) {
    test.fail(error, 'cancelledByParent');
    root.report(test);
  }
  summarize();
}

// ---- Registering ------------------------------------------------------------------------------------------------

// (name, options, fn), where each may be left out
function sortArguments(name, options, fn, overrides) {
  if (typeof name === 'function') {
    fn = name;
    name = undefined;
    options = undefined;
  } else if (name !== null && typeof name === 'object') {
    fn = options;
    options = name;
    name = undefined;
  } else if (typeof options === 'function') {
    fn = options;
    options = undefined;
  }
  options = { ...options, ...overrides };
  if (options.timeout != null && options.timeout !== Infinity) {
    validateNumber(options.timeout, 'options.timeout', 0, 2 ** 31 - 1);
  }
  validateAbortSignal(options.signal, 'options.signal');
  fn ??= ignore;
  if (typeof name !== 'string' || name === '') name = fn.name || '<anonymous>';
  return { name, options, fn };
}

function addTest(parent, name, options, fn, overrides, isSuite) {
  const sorted = sortArguments(name, options, fn, overrides);
  validateFunction(sorted.fn, 'fn');
  return new Test(parent, isSuite, sorted.name, sorted.options, sorted.fn, callerLocation());
}

function registerTest(name, options, fn, overrides) {
  const parent = collecting ?? (current !== null && !current.finished ? current : getRoot());
  const test = addTest(parent, name, options, fn, overrides, false);
  if (parent !== root && collecting === null) return parent.runChild(test);
  parent.children.push(test);
  if (parent === root) schedule();
  return test.done;
}

// Its function runs at once, and registers what the suite is made of.
function registerSuite(name, options, fn, overrides) {
  const parent = collecting ?? getRoot();
  const suite = addTest(parent, name, options, fn, overrides, true);
  parent.children.push(suite);
  const outer = collecting;
  collecting = suite;
  try {
    if (suite.skipped === undefined) suite.fn.call(new SuiteContext(suite), new SuiteContext(suite));
  } catch (error) {
    suite.fail(error);
  } finally {
    collecting = outer;
  }
  if (parent === root) schedule();
  return suite.done;
}

function registerHook(name) {
  return { [name](fn, options) {
    const owner = collecting ?? (current !== null && !current.finished ? current : getRoot());
    owner.hooks[name].push({ fn: fn ?? ignore, options });
  } }[name];
}

module.exports = { registerHook, registerSuite, registerTest };
