'use strict';
// The modules of lib/ as programs get them: by require(), and as ES modules with named exports.

const { ERR_UNKNOWN_BUILTIN_MODULE } = require('internal/errors').codes;
const { builtinId } = require('internal/modules/builtin_ids');
const { createSynthetic, setExport } = binding('module_wrap');

const modules = new Map(); // id -> { handle, names }

function requireBuiltin(id) {
  return require(id);
}

function exportNames(exports) {
  const names = Object.keys(exports);
  return names.filter((name) => name !== 'default');
}

function readExport(exports, name) {
  try {
    return exports[name];
  } catch {
    // A getter that does not like to be called.
    return undefined;
  }
}

function fill({ handle, names, id }) {
  const exports = require(id);
  for (let i = 0; i < names.length; i++) setExport(handle, names[i], readExport(exports, names[i]));
  setExport(handle, 'default', exports);
}

// The ES module of a builtin.
function builtinModule(url) {
  const id = builtinId(url);
  if (id === undefined) throw new ERR_UNKNOWN_BUILTIN_MODULE(url);
  let module = modules.get(id);
  if (module === undefined) {
    const names = exportNames(require(id));
    module = { id, names, handle: undefined };
    const all = ['default'];
    for (let i = 0; i < names.length; i++) all[i + 1] = names[i];
    module.handle = createSynthetic(`node:${id}`, all, () => fill(module));
    modules.set(id, module);
  }
  return module.handle;
}

// Named exports are what the properties were when the module was first imported; this makes them
// what they are now.
function syncExports() {
  for (const module of modules.values()) fill(module);
}

module.exports = { builtinModule, requireBuiltin, syncExports };
