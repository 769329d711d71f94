'use strict';
// node:test. The files are in internal/test_runner: `test` is a test and what becomes of it, `harness` the tree of
// a process, `run` starts files of tests, `reporters/` write what happens.

const {
  after, afterEach, before, beforeEach, getTestContext, suite, test,
} = require('internal/test_runner/harness');

module.exports = test;
Object.assign(module.exports, {
  after,
  afterEach,
  before,
  beforeEach,
  describe: suite,
  getTestContext,
  it: test,
  run(options) {
    return require('internal/test_runner/run/run').run(options);
  },
  suite,
  test,
});

function defineLazily(name, make) {
  let value;
  Object.defineProperty(module.exports, name, {
    __proto__: null,
    configurable: true,
    enumerable: true,
    get() {
      value ??= make();
      return value;
    },
  });
}

defineLazily('mock', () => {
  const { MockTracker } = require('internal/test_runner/mock/mock');
  return new MockTracker();
});

defineLazily('snapshot', () => {
  const { setDefaultSnapshotSerializers, setResolveSnapshotPath } =
    require('internal/test_runner/snapshot');
  return { __proto__: null, setDefaultSnapshotSerializers, setResolveSnapshotPath };
});

defineLazily('assert', () => {
  const { register } = require('internal/test_runner/assertions');
  return { __proto__: null, register };
});
