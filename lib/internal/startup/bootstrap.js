'use strict';
// The beginning: loads lib/, makes `process` and the globals. All of this happens when rondo is
// built; what it leaves is stored, and each run continues from there with the function returned at
// the end. So nothing here may depend on the process it runs in.

const makeBinding = binding;

let bindings = new Map();
function getBinding(name) {
  let found = bindings.get(name);
  if (found === undefined) bindings.set(name, found = makeBinding(name));
  return found;
}

// ---- The files of lib/ -------------------------------------------------------------------------

const native = getBinding('builtins');
// This file is not rewritten by the build (internal/startup/statics): it is what loads that.
const uncurry = Function.prototype.bind.bind(Function.prototype.call);
const startsWith = uncurry(String.prototype.startsWith);
const slice = uncurry(String.prototype.slice);
const ids = new Set(native.ids());
let loaded = new Map();

// Every program runs nearly all of these: their functions are in the snapshot ready to run. Those of
// other files are compiled when they are first called, because a larger snapshot takes longer to load.
let wholeIds = new Set([
  'internal/async_hooks',
  'internal/console/constructor',
  'internal/console/fast_path',
  'internal/console/global',
  'internal/fs/sync_write_stream',
  'internal/native/guess_handle_type',
  'internal/startup/main',
  'internal/modules/builtin_ids',
  'internal/modules/cjs/loader',
  'internal/modules/cjs/resolve',
  'internal/modules/conditions',
  'internal/modules/files',
  'internal/modules/package_json',
  'internal/modules/run_main',
  'internal/options',
  'internal/path/posix',
  'internal/path/shared',
  'internal/process/execution',
  'internal/process/methods',
  'internal/process/object',
  'internal/process/task_queues',
  'internal/process/warning',
  'internal/startup/start',
  'internal/process/stdio',
]);

// Files that are loaded later may find methods of arrays, texts and others replaced or deleted by the
// program. While one is loaded they are what they were: nothing of the program's runs then.
let language = { repair() {}, undo() {} };

function nodeBinding(name) {
  return requireBuiltin('internal/startup/node_bindings')(name);
}

function requireBuiltin(id) {
  let module = loaded.get(id);
  if (module !== undefined) return module.exports;
  // As the packages write it that Node bundles.
  if (startsWith(id, 'node:')) return requireBuiltin(slice(id, 5));
  const compiled = native.compile(id, wholeIds.has(id));
  module = { id, exports: {}, loaded: false };
  loaded.set(id, module);
  const changed = language.repair();
  try {
    run(id, compiled, module);
  } finally {
    if (changed !== undefined) language.undo(changed);
  }
  module.loaded = true;
  return module.exports;
}

function run(id, compiled, module) {
  // A file of an npm package requires nothing, and has its own ideas of what is called `process`.
  if (startsWith(id, 'deps/')) compiled(module.exports, undefined, module);
  else compiled(module.exports, requireBuiltin, module, process, getBinding, primordials, nodeBinding, capturedStatics);
}

// A module that a C++ program adds.
requireBuiltin.define = (id, exports) => {
  loaded.set(id, { id, exports, loaded: true });
};

// ---- process -----------------------------------------------------------------------------------

// Not the parameter: this file is the one without `process`.
process = (() => {
  const { process: constructor } = { process: function() {} };
  return Object.create(constructor.prototype, {
    [Symbol.toStringTag]: { value: 'process', writable: true },
  });
})();

// The parameters, which are undefined for this file and for what is loaded above.
capturedStatics = requireBuiltin('internal/startup/statics');
bindings = new capturedStatics.Map(bindings);
loaded = new capturedStatics.Map(loaded);
wholeIds = new capturedStatics.Set(wholeIds);
const removeShims = requireBuiltin('internal/startup/snapshot_shims')();
primordials = requireBuiltin('internal/startup/primordials');
// Everything that throws has its codes from here.
requireBuiltin('internal/errors');
const EventEmitter = requireBuiltin('events');
Object.setPrototypeOf(Object.getPrototypeOf(process), EventEmitter.prototype);
Reflect.apply(EventEmitter, process, []);

requireBuiltin('internal/process/object').install(process, { ids, loaded });
requireBuiltin('internal/startup/globals').install(globalThis);

language = requireBuiltin('internal/util/language');

// What nearly every program uses is loaded now.
for (const id of requireBuiltin('internal/startup/preloaded')) requireBuiltin(id);

const start = requireBuiltin('internal/startup/start');
removeShims();

// Each start calls these functions of files that are not in wholeIds: called once now, they are compiled.
requireBuiltin('internal/startup/globals').adjust(globalThis, {});
requireBuiltin('internal/process/permission').isGranted('fs.read');

// An object that was made of many properties leaves a shape for each step, unless it is
// a prototype: then it gets one of its own when a property is looked for in it.
function makeShape(object) {
  const child = Object.create(object);
  return () => child.missing;
}
const objects = [...loaded.values()].map(({ exports }) => exports).concat([...bindings.values()]);
const look = objects.filter((object) => typeof object === 'object').map(makeShape);
for (let i = 0; i < 100; i++) look.forEach((each) => each());
// The last: what is above has used regular expressions.
requireBuiltin('internal/util/forget_matches')();
return start;
