'use strict';
// In the REPL, and for -e and -p, the builtin modules are globals, loaded when first used.

// The names of the modules that `require` finds, those of Node's own use left out.
function builtinNames() {
  return require('module').builtinModules.filter((name) => !name.startsWith('_'));
}

// `load` is the require() of the module that gets them.
function addBuiltinGlobals(object, load) {
  for (const name of builtinNames()) {
    // A module of this name would hide a global that is something else.
    if (name.includes('/') || name.includes(':') || Object.hasOwn(object, name)) continue;
    // A program may have made it unconfigurable.
    const define = (value) => Reflect.defineProperty(object, name, {
      configurable: true, enumerable: false, writable: true, value,
    });
    Object.defineProperty(object, name, {
      configurable: true,
      enumerable: false,
      get: Object.assign(function() {
        const value = load(name);
        define(value);
        return value;
      }, { [kLazy]: true }),
      // Whoever assigns to it wants a variable of that name, an enumerable one.
      set(value) {
        delete object[name];
        object[name] = value;
      },
    });
  }
}

// repl.builtinModules: a program may add names to it. Undefined until it is asked for.
// Those that need no node: before them.
function plainNames() {
  return builtinNames().filter((name) => !name.startsWith('node:'));
}

const shownModules = { names: undefined };

// Warns only with --pending-deprecation.
function deprecateIfPending(access, message, code) {
  if (!require('internal/options').getOptionValue('--pending-deprecation')) return access;
  return require('util').deprecate(access, message, code);
}

// Marks getters that have no effect but to load a module.
const kLazy = Symbol('lazy module');

module.exports = { addBuiltinGlobals, builtinNames, deprecateIfPending, kLazy, plainNames, shownModules };
