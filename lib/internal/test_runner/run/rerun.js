'use strict';
// --test-rerun-failures: a file knows which tests have passed in which attempt; those are not run again, but
// reported as they were.

const fs = require('fs');
const path = require('path');
const { PassThrough, compose } = require('stream');

const now = process.hrtime.bigint;

// Names a test by its source location. Several tests may have the same one: a number is added.
class Identifiers {
  #cwd;
  #seen = new Map();

  constructor(cwd) {
    this.#cwd = cwd;
  }

  next({ file, line, column }) {
    const base = `${path.relative(this.#cwd, file)}:${line}:${column}`;
    const count = this.#seen.get(base);
    this.#seen.set(base, (count ?? 0) + 1);
    return count === undefined ? base : `${base}:(${count})`;
  }
}

function readRuns(file) {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

function setUp(root) {
  const { config, harness } = root;
  const file = config.rerunFailuresFilePath;
  harness.identifiers = new Identifiers(config.cwd);
  harness.previousRuns = readRuns(file);
  if (harness.previousRuns === null) {
    root.diagnostic(`Warning: The rerun failures file at ${file} is not a valid rerun file. ` +
      'The test runner will not be able to rerun failed tests.');
    harness.success = false;
    process.exitCode = 1;
    return;
  }
  if (process.env.NODE_TEST_CONTEXT) return;
  compose(root.reporter, (source) => record(source, config, harness.previousRuns))
    .pipe(new PassThrough());
}

// Adds this run to the file.
async function record(source, { cwd, rerunFailuresFilePath }, runs) {
  const identifiers = new Identifiers(cwd);
  const passed = { __proto__: null };
  let current = null; // { data, parent, children }
  const begin = (data) => {
    const parent = current;
    current = { data, parent, children: [] };
    parent?.children.push(current);
  };
  for await (const { type, data } of source) {
    if (type === 'test:start') begin(data);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (current === null) begin({ __proto__: null, name: 'root', nesting: 0 });
    if (current.data.name !== data.name || current.data.nesting !== data.nesting) begin(data);
    const { children } = current;
    if (current.data.nesting === data.nesting) current = current.parent;
    const id = identifiers.next(data);
    if (type === 'test:fail') continue;
    const { attempt, duration_ms, passed_on_attempt = attempt } = data.details;
    passed[id] = {
      __proto__: null, name: data.name, children: children.map((child) => child.data),
      passed_on_attempt, duration_ms,
    };
  }
  runs.push(passed);
  fs.writeFileSync(rerunFailuresFilePath, JSON.stringify(runs, null, 2), 'utf8');
}

function addReplayedChildren(test, children) {
  for (const { name, line, column, file } of children) {
    const location = { __proto__: null, line, column, file };
    const child = test.addTest(name, {}, () => {}, { __proto__: null, location });
    child.startTime = now();
    child.endTime = child.startTime + (child.replayedDuration ?? 0n);
    // A suite starts its tests itself.
    if (test.reportedType !== 'suite') child.start();
  }
}

// Replaces the function of a test that has passed before.
function replay(test) {
  const { identifiers, previousRuns } = test.root.harness;
  const id = identifiers.next(test.location);
  test.attempt = previousRuns.length;
  const previous = previousRuns[test.attempt - 1]?.[id];
  if (previous == null) return;
  test.passedAttempt = previous.passed_on_attempt;
  if (previous.duration_ms !== undefined) {
    test.replayedDuration = BigInt(Math.round(previous.duration_ms * 1e6));
  }
  test.fn = () => {
    if (test.reportedType !== 'suite') {
      test.startTime = now();
      test.endTime = test.startTime + (test.replayedDuration ?? 0n);
    }
    addReplayedChildren(test, previous.children ?? []);
  };
}

module.exports = { replay, setUp };
