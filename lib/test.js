'use strict';
// node:test. Tests are registered while the program loads, run one after the other when it has loaded, and are
// reported as TAP on the standard output.

const runner = require('internal/test/runner');
const { MockTracker } = require('internal/test/mock');

function withVariants(register) {
  for (const variant of ['skip', 'todo', 'only']) {
    register[variant] = (name, options, fn) => register(name, options, fn, { [variant]: true });
  }
  return register;
}

const test = withVariants((name, options, fn, overrides) => runner.registerTest(name, options, fn, overrides));
const describe = withVariants((name, options, fn, overrides) => runner.registerSuite(name, options, fn, overrides));

module.exports = test;
Object.assign(module.exports, {
  after: runner.registerHook('after'),
  afterEach: runner.registerHook('afterEach'),
  before: runner.registerHook('before'),
  beforeEach: runner.registerHook('beforeEach'),
  describe,
  it: test,
  suite: describe,
  test,
});

let mock;
Object.defineProperty(module.exports, 'mock', {
  __proto__: null,
  configurable: true,
  enumerable: true,
  get() {
    mock ??= new MockTracker();
    return mock;
  },
});
