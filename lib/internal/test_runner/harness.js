'use strict';
// The root of all tests of a process: what registers tests below it, what happens to uncaught errors, and
// the end.

const { createHook, executionAsyncId } = require('async_hooks');
const path = require('path');
const { ERR_TEST_FAILURE, kinds } = require('internal/test_runner/failure');
const { callerOf } = require('internal/test_runner/location');
const { parseCommandLine } = require('internal/test_runner/config');
const { connectReporters, reporterScope, shouldColorizeFiles } =
  require('internal/test_runner/run/connect_reporters');
const { newCounters } = require('internal/test_runner/summary');
const { Suite } = require('internal/test_runner/suite');
const { Test } = require('internal/test_runner/test');
const { TIMEOUT_MAX } = require('internal/timers');
const { clearInterval, setImmediate, setInterval } = require('timers');

// Async id -> the test to which it belongs
const tests = new Map([[reporterScope.asyncId(), reporterScope]]);

let globalRoot;
let isSetUp = false; // the module of --test-global-setup was run

// ---- The root ----

async function runGlobalSetup(harness) {
  const { config } = harness;
  if (isSetUp) return;
  isSetUp = true;
  if (!config.globalSetupPath) return;
  const { globalSetup, globalTeardown } =
    await require('internal/test_runner/run/global_setup').load(config.globalSetupPath, config.cwd);
  harness.globalTeardown = globalTeardown;
  await globalSetup?.();
}

function makeHarness(config) {
  const built = Promise.withResolvers();
  return {
    __proto__: null,
    config,
    counters: newCounters(),
    success: true,
    isWatching: false, // files are run again when they change
    snapshots: undefined,
    previousRuns: null,
    globalTeardown: undefined,
    filtersNames: config.testNamePatterns || config.testSkipPatterns,
    filtersTags: config.testTagFilters != null,
    filtersOnly: config.isolation === 'process' || process.env.NODE_TEST_CONTEXT ?
      config.only : true,
    colorizesFiles: shouldColorizeFiles(config.destinations),
    bootstrapPromise: undefined, // until the reporters are there
    buildPromise: built.promise, // until all suites that the program has are built
    buildSuites: [],
    isWaitingForBuild: false,
    async waitForBuild() {
      await Promise.all(this.buildSuites);
      built.resolve();
    },
    teardown: undefined,
    endCoverage: undefined, // ends it and returns the summary
  };
}

function createRoot(options, config) {
  const harness = makeHarness(config);
  harness.bootstrapPromise = runGlobalSetup(harness);
  globalRoot = new Test({ __proto__: null, ...options, harness, name: '<root>' });
  if (config.coverage) {
    harness.endCoverage = require('internal/test_runner/coverage/coverage').startCoverage(globalRoot);
  }
  watchProcess(globalRoot);
  globalRoot.startTime = process.hrtime.bigint();
  return globalRoot;
}

// That of a program which just requires node:test.
function getRoot() {
  if (globalRoot !== undefined) return globalRoot;
  const entryFile = process.argv[1];
  const location = entryFile ? { __proto__: null, line: 1, column: 1, file: entryFile } : undefined;
  const config = parseCommandLine();
  config.cwd = process.cwd();
  createRoot({ __proto__: null, entryFile, location }, config);
  globalRoot.reporter.on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1;
  });
  const { harness } = globalRoot;
  harness.bootstrapPromise =
    Promise.all([harness.bootstrapPromise, connectReporters(config, globalRoot.reporter)]);
  return globalRoot;
}

// ---- What happens to the process ----

function watchProcess(root) {
  const { config, harness } = root;
  const hook = createHook({
    __proto__: null,
    init(asyncId, type, triggerAsyncId, resource) {
      const test = resource instanceof Test ? resource : tests.get(triggerAsyncId);
      if (test !== undefined) tests.set(asyncId, test);
    },
    destroy(asyncId) {
      tests.delete(asyncId);
    },
  });
  hook.enable();
  if (config.rerunFailuresFilePath) require('internal/test_runner/run/rerun').setUp(root);

  const listeners = {
    __proto__: null,
    uncaughtException: (error) => onUncaught(root, error, 'uncaughtException'),
    unhandledRejection: (error) => onUncaught(root, error, 'unhandledRejection'),
    beforeExit: () => harness.teardown(),
  };
  if (config.isTestRunner) {
    listeners.SIGINT = listeners.SIGTERM = () => interrupt(root);
  }
  harness.teardown = async (isKilled = false) => {
    await finish(root, isKilled);
    hook.disable();
    for (const name of Object.keys(listeners)) process.removeListener(name, listeners[name]);
  };
  for (const name of Object.keys(listeners)) process.on(name, listeners[name]);
}

// When the loop has nothing left, or run() has come to its end.
async function finish(root, isKilled) {
  const { harness, hooks, subtests } = root;
  if (subtests.all.length === 0 && (hooks.before.length > 0 || hooks.after.length > 0)) {
    await root.run();
  }
  if (!isKilled && subtests.finished !== null) {
    const keepAlive = setInterval(() => {}, TIMEOUT_MAX);
    await subtests.finished.promise;
    clearInterval(keepAlive);
  }
  root.postRun(new ERR_TEST_FAILURE(
    'Promise resolution is still pending but the event loop has already resolved',
    kinds.cancelledByParent));
  const { globalTeardown } = harness;
  harness.globalTeardown = undefined;
  await globalTeardown?.();
}

function describeOrigin(test, root) {
  if (test === undefined) return 'A resource';
  const name = test.hookName ? `Test hook "${test.hookName}"` : `Test "${test.name}"`;
  const { location } = test;
  if (!location) return name;
  return `${name} at ${path.relative(root.config.cwd, location.file)}:${location.line}:` +
    `${location.column}`;
}

function onUncaught(root, error, event) {
  const { harness } = root;
  const test = tests.get(executionAsyncId());
  // Before everything is set up, or from a reporter: it cannot be reported.
  if (harness.bootstrapPromise || test === reporterScope) throw error;
  if (test !== undefined && !test.finished && !test.hookName) {
    test.fail(new ERR_TEST_FAILURE(error, event));
    test.abortController.abort();
    return;
  }
  const origin = describeOrigin(test, root);
  root.diagnostic(test === undefined ?
    `Error: ${origin} generated asynchronous activity after the test ended. This activity ` +
    `created the error "${error}" which triggered an ${event} event, caught by the test runner.` :
    `Error: ${origin} generated asynchronous activity after the test ended. This activity ` +
    `created the error "${error}" and would have caused the test to fail, but instead triggered ` +
    `an ${event} event.`);
  harness.success = false;
  process.exitCode = 1;
}

// The innermost tests that run.
function runningTests(test, found = []) {
  if (test.startTime === null || test.finished) return found;
  for (const child of test.subtests.all) runningTests(child, found);
  if (test.subtests.running === 0 && test.parent !== null) {
    const { line, column, file } = test.location ?? {};
    found.push({ __proto__: null, name: test.name, nesting: test.nesting, file, line, column });
  }
  return found;
}

async function interrupt(root) {
  const running = runningTests(root);
  if (running.length > 0) {
    root.reporter.reportEvent('test:interrupted', { __proto__: null, tests: running });
    await new Promise((resolve) => { setImmediate(resolve); });
  }
  await root.harness.teardown(true);
  process.exit();
}

// --test-force-exit: all tests have ended, whatever is still open.
async function forceExit(root) {
  const closed = reporterScope.destinations.map((destination) => new Promise((resolve) => {
    destination.on('unpipe', () => {
      if (!destination.closed && typeof destination.close === 'function') {
        destination.close(resolve);
      } else {
        resolve();
      }
    });
  }));
  root.harness.teardown();
  await Promise.all(closed);
  process.exit();
}

// ---- Registering ----

async function startAfterBootstrap(test) {
  const { harness } = test.root;
  if (harness.buildPromise) {
    if (harness.bootstrapPromise) {
      await harness.bootstrapPromise;
      harness.bootstrapPromise = null;
    }
    if (test.built) harness.buildSuites.push(test.built);
    if (!harness.isWaitingForBuild) {
      harness.isWaitingForBuild = true;
      queueMicrotask(() => harness.waitForBuild());
    }
    await harness.buildPromise;
    harness.buildPromise = null;
  }
  await test.start();
}

function currentTest() {
  return tests.get(executionAsyncId()) || getRoot();
}

// test() or suite(), with their variants.
function registering(Kind) {
  const register = (name, options, fn, overrides) => {
    const parent = currentTest();
    const test = parent.addTest(name, options, fn, overrides, Kind);
    return parent instanceof Suite ? Promise.resolve() : startAfterBootstrap(test);
  };
  const test = (name, options, fn) =>
    register(name, options, fn, { __proto__: null, location: callerOf(test) });
  for (const variant of ['expectFailure', 'skip', 'todo', 'only']) {
    test[variant] = (name, options, fn) =>
      register(name, options, fn,
        { __proto__: null, [variant]: true, location: callerOf(test[variant]) });
  }
  return test;
}

function hook(name) {
  const register = (fn, options) => currentTest().addHook(name, fn, options, callerOf(register));
  return register;
}

function getTestContext() {
  const test = tests.get(executionAsyncId());
  return test === undefined || test === reporterScope ? undefined : test.context;
}

module.exports = {
  after: hook('after'),
  afterEach: hook('afterEach'),
  before: hook('before'),
  beforeEach: hook('beforeEach'),
  createRoot,
  forceExit,
  getTestContext,
  startAfterBootstrap,
  suite: registering(Suite),
  test: registering(Test),
};
