'use strict';
// node:repl.

const { Recoverable, kSloppy, kStrict } = require('internal/repl/evaluate');
const { deprecateIfPending, plainNames, shownModules } = require('internal/repl/builtin_globals');
const { REPLServer, writer } = require('internal/repl/server');
const { isValidSyntax } = require('internal/repl/syntax');

function start(prompt, source, eval_, useGlobal, ignoreUndefined, replMode) {
  return new REPLServer(prompt, source, eval_, useGlobal, ignoreUndefined, replMode);
}

const builtinModules = {
  get() {
    return shownModules.names ??= plainNames();
  },
  set(value) {
    shownModules.names = value;
  },
};

module.exports = {
  start,
  writer,
  REPLServer,
  REPL_MODE_SLOPPY: kSloppy,
  REPL_MODE_STRICT: kStrict,
  Recoverable,
  isValidSyntax,
};
const old = (access, name, code) => deprecateIfPending(access,
  `repl.${name} is deprecated. Check module.builtinModules instead`, code);
Object.defineProperties(module.exports, {
  builtinModules: {
    configurable: true,
    enumerable: false,
    get: old(builtinModules.get, 'builtinModules', 'DEP0191'),
    set: old(builtinModules.set, 'builtinModules', 'DEP0191'),
  },
  _builtinLibs: {
    configurable: true,
    enumerable: false,
    get: old(builtinModules.get, '_builtinLibs', 'DEP0142'),
    set: old(builtinModules.set, '_builtinLibs', 'DEP0142'),
  },
});
