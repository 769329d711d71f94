'use strict';
// CommonJS and JSON files as ES modules.

const { createSynthetic, setExport } = binding('module_wrap');
const { Module, exportsOf, formatOf, kFormat, kIsCachedByESMLoader, readSource, stripBom } =
  require('internal/modules/cjs/loader');
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
    const format = formatOf(filename);
    if (format !== undefined) module[kFormat] = format;
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
  const names = new Set(found.exports);
  exportNames.set(module, names);
  for (const request of found.reexports) {
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
    for (const name of namesOf(file, text)) names.add(name);
  }
  return names;
}

// The exports are those of when the module was complete, whatever became of them since.
function runCommonJs(filename, isMain) {
  const module = Module._cache[filename];
  return module?.loaded ? exportsOf(module) : Module._load(filename, undefined, isMain);
}

function setExports(handle, names, exports) {
  const isObject = (typeof exports === 'object' && exports !== null) ||
    typeof exports === 'function';
  for (const name of names) {
    if (name === 'default' || !isObject || !Object.hasOwn(exports, name)) continue;
    try {
      setExport(handle, name, exports[name]);
    } catch {
      // A getter threw: the export stays undefined.
    }
  }
  setExport(handle, 'default', exports);
}

// -> the handle of the module
function commonJsModule(url, filename, source, isMain) {
  const names = namesOf(filename, source);
  const all = names.has('default') ? [...names] : ['default', ...names];
  const handle = createSynthetic(url, all, () => {
    setExports(handle, all, runCommonJs(filename, isMain));
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

// A JSON file is the same object for require() and import.
function jsonModule(url, filename, source) {
  const isShared = filename !== undefined && !/[?#]/.test(url);
  let module = isShared ? Module._cache[filename] : undefined;
  if (!module?.loaded) {
    const exports = parseJson(source ?? readSource(filename), filename ?? url);
    module = { exports, loaded: true };
    if (isShared) Module._cache[filename] = module;
  }
  const handle = createSynthetic(url, ['default'],
    () => setExport(handle, 'default', module.exports));
  return handle;
}

module.exports = { commonJsModule, jsonModule };
