'use strict';
// run(), and the option --test: runs files of tests, each in a process of its own, or all in this one.

const path = require('path');
const { isInspected, isServersLine, nextPort } = require('internal/inspector/ports');
const { pathToUrl } = require('internal/modules/package_resolve');
const { defaultPattern, parseCommandLine } = require('internal/test_runner/config');
const { connectReporters } = require('internal/test_runner/run/connect_reporters');
const { ERR_TEST_FAILURE, kinds } = require('internal/test_runner/failure');
const { createRoot, startAfterBootstrap } = require('internal/test_runner/harness');
const { parseRunOptions } = require('internal/test_runner/run/options');
const { getOptions } = require('internal/options');

// ---- Which files ----

function listFiles(patterns, cwd) {
  const { globSync } = require('fs');
  const given = patterns?.length > 0 ? patterns : [defaultPattern()];
  const files = globSync(given, { cwd, exclude: (name) => name === 'node_modules' });
  const isPlain = given.every((pattern) => !/[*?[\]{}!()+@]/.test(pattern));
  if (patterns != null && files.length === 0 && isPlain) {
    require('internal/console/global').error(`Could not find '${given.join(', ')}'`);
    process.exit(1);
  }
  return files.sort();
}

// ---- A process for each file ----

// Options that are for this process alone, and those with a value.
const kOwnOptions = ['--test', '--experimental-default-config-file', '--experimental-test-coverage', '--test-randomize',
  '--watch'];
const kOwnValues = ['--experimental-config-file', '--experimental-test-tag-filter', '--test-reporter',
  '--test-reporter-destination', '--test-random-seed'];

function isForChildren(option, i, all) {
  return !kOwnOptions.includes(option) && !kOwnValues.some((own) => option === own ||
    option.startsWith(`${own}=`) || all[i - 1] === own);
}

function flagsOf(name, value) {
  if (typeof value === 'boolean') return [value ? name : `--no-${name.slice(2)}`];
  return (Array.isArray(value) ? value : [value]).map((text) => `${name}=${text}`);
}

// What a configuration file says is for the children too, which do not read it: they would run all tests again.
function optionsForChildren() {
  const options = getOptions();
  const { execArgv } = process;
  if (!('--experimental-config-file' in options || '--experimental-default-config-file' in options)) {
    return execArgv.filter(isForChildren);
  }
  const ofEngine = execArgv.filter((argument) => {
    const [name] = argument.split('=');
    return name.startsWith('--') && !(name in options) && !(`--${name.slice('--no-'.length)}` in options);
  });
  const known = Object.keys(options).filter((name) => !kOwnOptions.includes(name) && !kOwnValues.includes(name));
  return [...ofEngine, ...known.flatMap((name) => flagsOf(name, options[name]))];
}

function argumentsFor(file, run) {
  const args = optionsForChildren();
  const { testNamePatterns, testSkipPatterns, testTagFilterExpressions } = run;
  if (run.forceExit === true) args.push('--test-force-exit');
  if (isInspected()) args.push(`--inspect-port=${nextPort(run.inspectPort)}`);
  for (const pattern of testNamePatterns ?? []) args.push(`--test-name-pattern=${pattern}`);
  for (const pattern of testSkipPatterns ?? []) args.push(`--test-skip-pattern=${pattern}`);
  for (const tag of testTagFilterExpressions ?? []) {
    args.push(`--experimental-test-tag-filter=${tag}`);
  }
  if (run.only === true) args.push('--test-only');
  if (run.root.timeout != null) args.push(`--test-timeout=${run.root.timeout}`);
  if (run.rerunFailuresFilePath) args.push(`--test-rerun-failures=${run.rerunFailuresFilePath}`);
  if (run.randomize) args.push('--test-randomize');
  if (run.randomSeed != null) args.push(`--test-random-seed=${run.randomSeed}`);
  args.push(...run.execArgv);
  if (file === '') args.push('--test', '--test-isolation=none', ...run.files ?? run.globPatterns ?? []);
  else args.push(file);
  args.push(...run.argv);
  return args;
}

function environmentFor(run) {
  const env = {
    __proto__: null,
    NODE_TEST_CONTEXT: 'child-v8',
    ...(run.env || process.env),
    NODE_TEST_WORKER_ID: String(run.nextWorkerId()),
  };
  if (run.root.harness.colorizesFiles) env.FORCE_COLOR = '1';
  if (run.watching) env.WATCH_REPORT_DEPENDENCIES = '1';
  return env;
}

async function runProcess(file, run, test, context) {
  const { spawn } = require('child_process');
  const { once } = require('events');
  const { finished } = require('stream/promises');
  const { signal } = context;
  const child = spawn(process.execPath, argumentsFor(file, run), {
    __proto__: null, signal, encoding: 'utf8', env: environmentFor(run), cwd: run.cwd,
    stdio: run.watching ? ['pipe', 'pipe', 'pipe', 'ipc'] : 'pipe',
  });
  run.watching?.begin(file, child);
  let failure;
  child.on('error', (error) => { failure = error; });
  child.stdout.on('data', (data) => test.parseMessage(data));
  const lines = require('readline').createInterface({ __proto__: null, input: child.stderr });
  lines.on('line', (line) => {
    if (isServersLine(line)) {
      process.stderr.write(`${line}\n`);
      return;
    }
    test.addToReport({
      __proto__: null, type: 'test:stderr', data: { __proto__: null, file, message: `${line}\n` },
    });
  });
  const [[code, killedBy]] = await Promise.all([
    once(child, 'exit', { __proto__: null, signal }),
    finished(child.stdout, { __proto__: null, signal }),
  ]);
  lines.close();
  run.watching?.end(file);
  if (code === 0 && killedBy === null) return;
  if (failure !== undefined) throw failure;
  failure = new ERR_TEST_FAILURE('test failed', test.failedSubtests ? kinds.subtests : kinds.code);
  // Whatever failed is in another process: the stack is of no use.
  throw Object.assign(failure, { exitCode: code, signal: killedBy, stack: undefined });
}

function runFile(file, run) {
  const { FileTest } = require('internal/test_runner/run/file_test');
  const options = { __proto__: null, signal: run.signal };
  const test = run.root.addTest(file, options,
    async (context) => runProcess(file, run, test, context), undefined, FileTest);
  return test.start();
}

async function runIsolated(run, files) {
  const { harness } = run.root;
  harness.bootstrapPromise = null;
  harness.buildPromise = null;
  await Promise.allSettled(files.map((file) => (run.watching ?
    run.watching.run(file) : runFile(file, run))));
}

// ---- All in this process ----

async function importFiles(run, files) {
  const { root } = run;
  const { importModule } = require('internal/modules/esm/loader');
  const base = pathToUrl(`${run.cwd}/`);
  if (run.isTestRunner) await require('internal/modules/run_main').preload(base);
  let before = root.subtests.all.length;
  for (const file of files) {
    const url = pathToUrl(path.resolve(run.cwd, file));
    const fullPath = path.resolve(file);
    let failure;
    root.entryFile = fullPath;
    try {
      await importModule(url, base, undefined);
    } catch (error) {
      failure = { error };
    }
    if (root.subtests.all.length === before) {
      // A file without tests is one itself.
      const location = { __proto__: null, line: 1, column: 1, file: fullPath };
      const test = root.addTest(file, {}, undefined, { __proto__: null, location });
      if (failure !== undefined) test.fail(failure.error);
      startAfterBootstrap(test);
    }
    before = root.subtests.all.length;
  }
}

async function runHere(run, files) {
  process.env.NODE_TEST_WORKER_ID = '1';
  const { root } = run;
  const { harness } = root;
  const { promise, resolve } = Promise.withResolvers();
  await root.runInAsyncScope(async () => {
    harness.bootstrapPromise = harness.bootstrapPromise ?
      Promise.all([harness.bootstrapPromise, promise]) : promise;
    await importFiles(run, files);
  });
  root.entryFile = null;
  resolve();
  return root.subtests.drain();
}

// ---- run() ----

function workerIds(concurrency) {
  const most = concurrency === true ? Math.max(require('os').availableParallelism() - 1, 1) :
    typeof concurrency === 'number' ? concurrency : 1;
  let last = 0;
  return () => (last++ % most) + 1;
}

async function runAll(run, files) {
  const { root } = run;
  const { harness } = root;
  if (harness.bootstrapPromise) await harness.bootstrapPromise;
  await run.setup?.(root.reporter);
  if (run.watch) {
    const { TestWatch } = require('internal/test_runner/run/watch');
    run.watching = new TestWatch(run, files, (file) => runFile(file, run), listFiles);
    await runIsolated(run, run.isolation === 'none' ? [''] : files);
    return;
  }
  if (run.isolation === 'none') {
    await runHere(run, files);
    return;
  }
  await runIsolated(run, files);
  root.postRun();
  harness.teardown();
}

function run(options = {}) {
  const parsed = parseRunOptions(options);
  const { concurrency, timeout, signal, isolation } = parsed;
  const commandLine = parseCommandLine();
  const config = {
    __proto__: null,
    ...commandLine,
    ...parsed.ofCoverage,
    rerunFailuresFilePath: parsed.rerunFailuresFilePath,
    cwd: parsed.cwd,
    globalSetupPath: parsed.globalSetupPath,
    randomize: parsed.randomize,
    randomSeed: parsed.randomSeed,
    testTagFilters: parsed.testTagFilters,
  };
  const root = createRoot({ __proto__: null, concurrency, timeout, signal }, config);
  let files = parsed.files ?? listFiles(parsed.globPatterns, parsed.cwd);
  if (parsed.randomize) root.diagnostic(`Randomized test order seed: ${parsed.randomSeed}`);
  const { shard } = parsed;
  if (shard) files = files.filter((file, i) => i % shard.total === shard.index - 1);
  if (isolation === 'process' && process.env.NODE_TEST_CONTEXT !== undefined) {
    process.emitWarning(
      'node:test run() is being called recursively within a test file. skipping running files.');
    root.postRun();
    return root.reporter;
  }
  runAll({
    ...parsed,
    root,
    isTestRunner: commandLine.isTestRunner,
    nextWorkerId: workerIds(commandLine.concurrency ?? concurrency),
  }, files);
  return root.reporter;
}

// rondo --test [patterns]
function runCommandLine() {
  const config = parseCommandLine();
  require('internal/util/debuglog').debuglog('test_runner')('test runner configuration:', config);
  const { getOptionValue } = require('internal/options');
  if (isInspected() && config.isolation === 'process') {
    process.emitWarning('Using the inspector with --test forces running at a concurrency of 1. ' +
      'Use the inspectPort option to run with concurrency');
    config.concurrency = 1;
    config.inspectPort = process.debugPort;
  }
  run({
    ...config,
    setup: (stream) => connectReporters(config, stream),
    watch: getOptionValue('--watch') === true,
    globPatterns: process.argv.slice(1),
  }).on('test:summary', ({ success }) => {
    if (!success) process.exitCode = 1;
  });
}

module.exports = { run, runCommandLine };
