'use strict';
// What a C++ program that embeds the runtime calls: see include/rondo/runtime.h.

const { publicIds } = require('internal/modules/builtin_ids');
const { kDefaultLoader } = require('internal/modules/esm/import_symbols');

let hasRequire = false;

// Texts have no module around them: for them `require` is a global, as for the text of -e.
function addRequire() {
  hasRequire = true;
  const { createRequire } = require('module');
  Object.defineProperty(globalThis, 'require', {
    __proto__: null,
    value: createRequire(`${process.cwd()}/`),
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

module.exports = {
  evaluate(source, filename) {
    if (!hasRequire) addRequire();
    const { runInThisContext } = require('vm');
    return runInThisContext(source, { filename, importModuleDynamically: kDefaultLoader });
  },

  runFile(path) {
    process.argv[1] = require('path').resolve(path);
    require('internal/modules/run_main').runMain(path);
  },

  defineModule(name, exports) {
    require.define(name, exports);
    publicIds.add(name);
  },
};
