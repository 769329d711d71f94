'use strict';
// What import() does in code of node:vm: V8 keeps a symbol with the code.

// The code was given no way to import.
const kNoImports = Symbol('vm_dynamic_import_missing');
// It was given a function, which is of use only with --experimental-vm-modules.
const kImportsNeedFlag = Symbol('vm_dynamic_import_missing_flag');
// As vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER, for the modules of lib/: does not warn.
const kDefaultLoader = Symbol('vm_dynamic_import_default_internal');

// With that option: symbol -> { callback, referrer }. As long as the program runs, because nobody
// can tell when code is gone.
const callbacks = new Map();

// The symbol for code that imports by `callback`, which may be undefined.
function registerImport(callback, referrer) {
  if (callback === undefined) return kNoImports;
  const symbol = Symbol('vm_dynamic_import');
  callbacks.set(symbol, { callback, referrer });
  return symbol;
}

// Code that is compiled before the object exists that stands for it.
function setReferrer(symbol, referrer) {
  const entry = callbacks.get(symbol);
  if (entry !== undefined) entry.referrer = referrer;
}

module.exports = {
  callbacks,
  kDefaultLoader,
  kImportsNeedFlag,
  kNoImports,
  registerImport,
  setReferrer,
};
