'use strict';
// CommonJS and JSON files as ES modules.

const { ERR_REQUIRE_ESM } = require('internal/errors').codes;
const { createSynthetic, setExport } = binding('module_wrap');
const { compileCommonJs } = binding('modules');
const { builtinId, hasOwnScheme } = require('internal/modules/builtin_ids');
const {
  Module, exportsOf, keepExports, kFormat, kIsCachedByESMLoader, kIsExecuting,
  options: cjsOptions, readSource, setSource, stripBom,
} = require('internal/modules/cjs/loader');
const { pathOf, readFor } = require('internal/modules/esm/formats');
const { registered, resolveHooks } = require('internal/modules/customization_hooks');
const { pathToUrl } = require('internal/modules/package_resolve');
const path = require('path');

const exportNames = new WeakMap(); // module -> the names its source seems to export

let parseCommonJs;

function lex(source) {
  parseCommonJs ??= require('deps/cjs-module-lexer/lexer').parse;
  try {
    return parseCommonJs(source);
  } catch {
    // Not understood: it has a default export only.
    return { exports: [], reexports: [] };
  }
}

function moduleOf(filename) {
  let module = Module._cache[filename];
  if (module === undefined) {
    module = new Module(filename);
    module.filename = filename;
    module.paths = Module._nodeModulePaths(module.path);
    module[kIsCachedByESMLoader] = true;
    Module._cache[filename] = module;
  }
  return module;
}

function isSource(filename) {
  const extension = path.extname(filename);
  return path.isAbsolute(filename) &&
    (extension === '.js' || extension === '.cjs' || !Module._extensions[extension]);
}

// Found by reading, without running it: `exports.a =`, `module.exports = require(...)` and such.
function namesOf(filename, source) {
  const module = moduleOf(filename);
  const known = exportNames.get(module);
  if (known !== undefined) return known;
  const found = lex(source);
  const names = new Set();
  found.exports.forEach((name) => names.add(name));
  exportNames.set(module, names);
  // Not for...of: a program may have taken the iterator of arrays away.
  for (let i = 0; i < found.reexports.length; i++) {
    const request = found.reexports[i];
    let file;
    try {
      file = Module._resolveFilename(request, module);
    } catch {
      continue;
    }
    if (!isSource(file)) continue;
    let text;
    try {
      text = readSource(file);
    } catch {
      continue;
    }
    namesOf(file, text).forEach((name) => names.add(name));
  }
  return names;
}

// The exports are those of when the module was complete, whatever became of them since.
function runCommonJs(url, filename, format, isMain) {
  const module = Module._cache[filename];
  if (module?.loaded) return exportsOf(module);
  if (resolveHooks.length === 0 && !registered.isActive) {
    return Module._load(filename, undefined, isMain, { __proto__: null, skipsHooks: true });
  }
  // Found by hooks, perhaps where no file is.
  const resolved = { __proto__: null, filename, url, format };
  return Module._load(filename, undefined, isMain, { __proto__: null, resolved });
}

function setExports(handle, names, exports) {
  const isObject = (typeof exports === 'object' && exports !== null) ||
    typeof exports === 'function';
  for (let i = 0; i < names.length; i++) {
    const name = names[i];
    if (name === 'default' || name === 'module.exports') continue;
    if (!isObject || !Object.hasOwn(exports, name)) continue;
    try {
      setExport(handle, name, exports[name]);
    } catch {
      // A getter threw: the export stays undefined.
    }
  }
  setExport(handle, 'default', exports);
  setExport(handle, 'module.exports', exports);
}

function fileOf(url) {
  return url.startsWith('file:') ? pathOf(url) : url;
}

// ---- Sources from hooks of module.register() ----

// The exports of what require() of such a source leads to, which hooks are asked for as for an import.
function requireRecord(record) {
  const { format, url } = record;
  if (format === 'builtin') return require('internal/modules/esm/builtins').requireBuiltin(builtinId(url));
  if (format.startsWith('commonjs')) {
    const module = Module._cache[fileOf(url)];
    if (module?.loaded || module?.[kIsExecuting]) return module.exports;
  }
  if (format.startsWith('module') && !cjsOptions.requireModule) throw new ERR_REQUIRE_ESM(url, true);
  const exports = require('internal/modules/esm/require').runNow(record, fileOf(url));
  return format === 'json' ? exports.default : exports;
}

function makeHookedRequire(module, url) {
  function require(specifier) {
    let attributes;
    if (builtinId(specifier) === undefined && !hasOwnScheme(specifier)) {
      const file = Module._resolveFilename(specifier, module);
      const extension = path.extname(file);
      if (extension === '.node') return Module._load(specifier, module, false, { __proto__: null, skipsHooks: true });
      if (extension === '.json') attributes = ['type', 'json'];
      specifier = pathToUrl(file);
    }
    return requireRecord(loadHooked(specifier, url, attributes));
  }
  require.resolve = function resolve(specifier) {
    if (!specifier.startsWith('node:')) {
      const { resolveForRequire } = hooksOfRequire();
      const found = resolveForRequire(specifier, module, false);
      if (specifier !== found.filename) specifier = found.url ?? pathToUrl(found.filename);
    }
    return fileOf(resolveHooked(specifier, url));
  };
  require.main = process.mainModule;
  return require;
}

// A function of the program is called `require` above.
function loadHooked(...args) {
  return require('internal/modules/esm/loader').load(...args);
}

function resolveHooked(specifier, url) {
  return require('internal/modules/esm/loader').resolveRegistered(specifier, url, { __proto__: null }).url;
}

function hooksOfRequire() {
  return require('internal/modules/cjs/hooks');
}

// Its name is its URL, and its require() asks the same hooks.
function runHooked(url, filename, source, isMain) {
  const module = moduleOf(filename);
  if (module.loaded) return exportsOf(module);
  if (isMain) process.mainModule = module;
  const compiled = compileCommonJs(source, url);
  module[kIsExecuting] = true;
  const { exports } = module;
  Reflect.apply(compiled, exports,
    [exports, makeHookedRequire(module, url), module, filename, path.dirname(filename)]);
  module[kIsExecuting] = false;
  module.loaded = true;
  keepExports(module);
  return module.exports;
}

// -> the handle of the module
function commonJsModule(url, source, isMain, format, isRegistered) {
  const filename = fileOf(url);
  const isHooked = isRegistered && source != null;
  source = toText(source ?? readFor(url, format));
  const module = moduleOf(filename);
  if (!module.loaded) {
    setSource(module, source);
    if (format === 'commonjs-typescript') module[kFormat] = format;
  }
  const text = format === 'commonjs-typescript' ?
    require('internal/modules/typescript').stripModuleTypes(source, filename) : source;
  const all = [];
  namesOf(filename, text).forEach((name) => all.push(name));
  if (!all.includes('default')) all.push('default');
  if (!all.includes('module.exports')) all.push('module.exports');
  const handle = createSynthetic(url, all, () => {
    setExports(handle, all, isHooked ? runHooked(url, filename, text, isMain) :
      runCommonJs(url, filename, format, isMain));
  });
  return handle;
}

function parseJson(source, where) {
  try {
    return JSON.parse(stripBom(source));
  } catch (error) {
    error.message = `${where}: ${error.message}`;
    throw error;
  }
}

function toText(source) {
  return typeof source === 'string' ? source : require('buffer').Buffer.from(source).toString();
}

// A JSON file is the same object for require() and import.
function jsonModule(url, source) {
  const isFile = url.startsWith('file:');
  const filename = fileOf(url);
  const isShared = isFile && !/[?#]/.test(url);
  let module = isShared ? Module._cache[filename] : undefined;
  if (!module?.loaded) {
    const exports = parseJson(toText(source ?? readFor(url, 'json')), filename);
    module = { exports, loaded: true };
    if (isShared) Module._cache[filename] = module;
  }
  const handle = createSynthetic(url, ['default'],
    () => setExport(handle, 'default', module.exports));
  return handle;
}

// A native addon, which require() loads from the same file.
function addonModule(url, isMain) {
  require('internal/util').emitExperimentalWarning('Importing addons');
  const filename = fileOf(url);
  const names = ['default', 'module.exports'];
  const handle = createSynthetic(url, names, () => {
    setExports(handle, names, Module._load(filename, undefined, isMain, { __proto__: null, skipsHooks: true }));
  });
  return handle;
}

// With --experimental-import-text.
function textModule(url, source) {
  require('internal/util').emitExperimentalWarning('Text import');
  const text = stripBom(toText(source ?? readFor(url, 'text')));
  const handle = createSynthetic(url, ['default'], () => setExport(handle, 'default', text));
  return handle;
}

module.exports = { addonModule, commonJsModule, jsonModule, textModule };
