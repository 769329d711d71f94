'use strict';
// context.assert: the functions of node:assert, counted for the plan of the test, and those that a program adds by
// assert.register().

const assert = require('assert');
const { validateFunction, validateString } = require('internal/validators');

let known; // name -> function

function assertions() {
  if (known !== undefined) return known;
  known = new Map();
  for (const name of ['deepEqual', 'deepStrictEqual', 'doesNotMatch', 'doesNotReject',
    'doesNotThrow', 'equal', 'fail', 'ifError', 'match', 'notDeepEqual', 'notDeepStrictEqual',
    'notEqual', 'notStrictEqual', 'partialDeepStrictEqual', 'rejects', 'strictEqual', 'throws']) {
    known.set(name, assert[name]);
  }
  return known;
}

function register(name, fn) {
  validateString(name, 'name');
  validateFunction(fn, 'fn');
  assertions().set(name, fn);
}

function withSnapshots(harness) {
  const all = assertions();
  if (harness.snapshots === undefined) {
    const { SnapshotManager } = require('internal/test_runner/snapshot');
    const snapshots = new SnapshotManager(harness.config.updateSnapshots);
    harness.snapshots = snapshots;
    if (!all.has('snapshot')) all.set('snapshot', snapshots.snapshotAssertion());
    if (!all.has('fileSnapshot')) all.set('fileSnapshot', snapshots.fileSnapshotAssertion());
  }
  return all;
}

// The object `assert` of the context of a test.
function assertionsOf(context, { plan, root }) {
  const all = withSnapshots(root.harness);
  const result = { __proto__: null };
  all.forEach((fn, name) => {
    result[name] = (...args) => {
      plan?.count();
      return Reflect.apply(fn, context, args);
    };
  });
  if (!all.has('ok')) {
    const { checkTruth } = require('internal/assert/fail');
    result.ok = function ok(...args) {
      plan?.count();
      checkTruth(ok, args);
    };
  }
  return result;
}

module.exports = { assertionsOf, register };
