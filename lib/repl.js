'use strict';
// node:repl.

const { Recoverable, kSloppy, kStrict } = require('internal/repl/evaluate');
const { builtinNames, deprecateIfPending } = require('internal/repl/builtin_globals');
const { REPLServer, writer } = require('internal/repl/server');
const { isValidSyntax } = require('internal/repl/syntax');

function start(prompt, source, eval_, useGlobal, ignoreUndefined, replMode) {
  return new REPLServer(prompt, source, eval_, useGlobal, ignoreUndefined, replMode);
}

let names;
const builtinModules = {
  configurable: true,
  enumerable: false,
  get() {
    names ??= builtinNames();
    return names;
  },
  set(value) {
    names = value;
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
const old = (access) => deprecateIfPending(access,
  'repl._builtinLibs is deprecated. Check module.builtinModules instead', 'DEP0142');
Object.defineProperties(module.exports, {
  builtinModules,
  _builtinLibs: {
    configurable: true,
    enumerable: false,
    get: old(builtinModules.get),
    set: old(builtinModules.set),
  },
});
