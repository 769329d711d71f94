'use strict';
// What import() does in code of node:vm: V8 keeps a symbol with the code.

// The code was given no way to import.
const kNoImports = Symbol('vm_dynamic_import_missing');
// It was given a function, which is of use only with --experimental-vm-modules.
const kImportsNeedFlag = Symbol('vm_dynamic_import_missing_flag');
// As vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER, for the modules of lib/: does not warn.
const kDefaultLoader = Symbol('vm_dynamic_import_default_internal');

// With that option: symbol -> { callback, referrer }. V8 keeps the symbol as long as the code, which
// thereby keeps what is here.
const callbacks = new WeakMap();

// The symbol for code that imports by `callback`.
function registerImport(callback, referrer) {
  const symbol = Symbol('vm_dynamic_import');
  callbacks.set(symbol, { callback, referrer });
  return symbol;
}

// Code that is compiled before its object exists.
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
