'use strict';
// node:test/reporters.

function define(name, descriptor) {
  Object.defineProperty(module.exports, name,
    { __proto__: null, configurable: true, enumerable: true, ...descriptor });
}

for (const name of ['dot', 'junit', 'tap']) {
  define(name, { get: () => require(`internal/test_runner/reporters/${name}`) });
}

// Classes, which need no `new`.
define('spec', { value: function spec(...args) {
  return Reflect.construct(require('internal/test_runner/reporters/spec'), args);
} });

define('lcov', { value: function lcov(...args) {
  return Reflect.construct(require('internal/test_runner/reporters/lcov'), args);
} });
