'use strict';
// CommonJS: the class Module, what require() does, and the tables that programs may look into and
// change.

const fs = require('fs');
const path = require('path');
const { activeChannels, activeTracing } = require('internal/trace/active_channels');
const { traced } = require('internal/trace/traced');
const {
  ERR_INVALID_ARG_VALUE,
  ERR_REQUIRE_ESM,
  ERR_UNKNOWN_BUILTIN_MODULE,
} = require('internal/errors').codes;
const forgetMatches = require('internal/util/forget_matches');
const { builtinId, builtinModules, hasOwnScheme, isBuiltin, publicIds } =
  require('internal/modules/builtin_ids');
const { loadHooks, registerHooks, resolveHooks } =
  require('internal/modules/customization_hooks');
const compileCache = require('internal/modules/compile_cache_state');
const { keepSourceMap, state: sourceMaps } = require('internal/source_map/support');
const { getStat, setStat } = require('internal/modules/files');
const { callPaused, firstLine } = require('internal/inspector/first_line');
const resolving = require('internal/modules/cjs/resolve');
const { pathToUrl } = require('internal/modules/package_resolve');
const { getOptionValue } = require('internal/options');
const { check: checkPermission, state: permissions } = require('internal/process/permission');
const { validateString } = require('internal/validators');
const { state: watchReports } = require('internal/watch_mode/report_state');
const { compileCommonJs, readText, sourceMapOf } = binding('modules');
const { isProxy } = binding('types');

const { readFileSync } = fs;

// Seen when a module is inspected, as in Node.
const kIsMain = Symbol('kIsMainSymbol');
const kIsCachedByESMLoader = Symbol('kIsCachedByESMLoader');
const kIsExecuting = Symbol('kIsExecuting');
const kURL = Symbol('kURL'); // by which hooks know it
const kFormat = Symbol('kFormat');
const kRequiredModule = Symbol('kRequiredModuleSymbol');

// The module that required a module first, and more: hidden fields of any object.
class Child extends (function (module) { return module; }) {
  #parent;
  #exports; // what it had exported when it was complete
  #source; // its text, if that was read before it is run, or given by a hook

  constructor(module, parent) {
    super(module);
    this.#parent = parent;
  }

  static parentOf(module) {
    return #parent in module ? module.#parent : undefined;
  }

  static keepExports(module) {
    if (#exports in module) module.#exports = module.exports;
  }

  static exportsOf(module) {
    return #exports in module ? module.#exports : module.exports;
  }

  static sourceOf(module) {
    return #source in module ? module.#source : undefined;
  }

  static setSource(module, source) {
    if (#source in module) module.#source = source;
  }

  static setParent(module, parent) {
    if (#parent in module) module.#parent = parent;
    else new Child(module, parent);
  }
}

const { exportsOf, keepExports, parentOf, setParent, setSource, sourceOf } = Child;

// folder -> request -> file name, for what was required from there before
const requestsByFolder = new Map();

function requestsFrom(folder) {
  let requests = requestsByFolder.get(folder);
  if (requests === undefined) {
    requests = new Map();
    requestsByFolder.set(folder, requests);
  }
  return requests;
}

let isPreloading = false;

const options = { requireModule: true, detectModule: true, stripTypes: true };

// A new property, whatever a program has added to Object.prototype.
function setOwn(object, key, value) {
  if (key in object) {
    Object.defineProperty(object, key, {
      __proto__: null, value, writable: true, enumerable: true, configurable: true,
    });
  } else {
    object[key] = value;
  }
}

function updateChildren(parent, child, scan) {
  const children = parent?.children;
  if (children && !(scan && children.includes(child))) children.push(child);
}

function Module(id = '', parent) {
  this.id = id;
  this.path = path.dirname(id);
  setOwn(this, 'exports', {});
  new Child(this, parent);
  updateChildren(parent, this, false);
  this.filename = null;
  this.loaded = false;
  this.children = [];
}

Object.defineProperty(Module, '_stat', {
  __proto__: null,
  get() { return getStat(); },
  set(value) { setStat(value); },
  configurable: true,
});
Module._cache = { __proto__: null };
Module._pathCache = { __proto__: null };
Module._extensions = { __proto__: null };
Module.globalPaths = [];


// ---- The wrapper that a module's source was once put into ----

const wrapperTexts = ['(function (exports, require, module, __filename, __dirname) { ', '\n});'];
// Whether a program has replaced them; then its own are used.
let isWrapperChanged = false;

let wrap = function (script) {
  return wrapper[0] + script + wrapper[1];
};

const wrapperProxy = new Proxy(wrapperTexts, {
  __proto__: null,
  set(target, key, value, receiver) {
    isWrapperChanged = true;
    return Reflect.set(target, key, value, receiver);
  },
  defineProperty(target, key, descriptor) {
    isWrapperChanged = true;
    return Object.defineProperty(target, key, descriptor);
  },
});

let wrapper = wrapperProxy;

Object.defineProperty(Module, 'wrap', {
  __proto__: null,
  get() { return wrap; },
  set(value) {
    isWrapperChanged = true;
    wrap = value;
  },
});

Object.defineProperty(Module, 'wrapper', {
  __proto__: null,
  get() { return wrapper; },
  set(value) {
    isWrapperChanged = true;
    wrapper = value;
  },
});

// ---- Finding ----

Module.isBuiltin = isBuiltin;

Object.defineProperty(Module, '_readPackage', {
  __proto__: null,
  get() {
    return (folder) => {
      const fields = resolving.readPackage(path.resolve(folder, 'package.json'));
      return fields.exists ? fields : false;
    };
  },
  set() {},
  configurable: true,
});

Module._findPath = function (request, paths, isMain, conditions) {
  return resolving.findPath(request, paths, isMain, conditions);
};

Module._nodeModulePaths = function (from) {
  return resolving.nodeModulePaths(from);
};

Module._resolveLookupPaths = function (request, parent) {
  return resolving.resolveLookupPaths(request, parent);
};

function requireStackOf(parent) {
  const requireStack = [];
  for (let cursor = parent; cursor; cursor = parentOf(cursor)) {
    requireStack.push(cursor.filename || cursor.id);
  }
  return requireStack;
}

// The program is to be run again when the file appears.
function reportMissing(request, parent) {
  if (builtinId(request) !== undefined) return;
  const { reportRequired } = require('internal/watch_mode/report');
  const base = path.resolve(parent?.path ?? '', request);
  reportRequired(base, ...Object.keys(Module._extensions).map((extension) => base + extension));
}

Module._resolveFilename = function (request, parent, isMain, options) {
  const filename = resolving.resolveFilename(request, parent, isMain, options);
  if (filename) return filename;
  if (watchReports.isActive) reportMissing(request, parent);

  const requireStack = requireStackOf(parent);
  let message = `Cannot find module '${request}'`;
  if (requireStack.length > 0) message += `\nRequire stack:\n- ${requireStack.join('\n- ')}`;
  const err = new Error(message);
  err.code = 'MODULE_NOT_FOUND';
  err.requireStack = requireStack;
  throw err;
};

Module._initPaths = function () {
  resolving.initPaths();
};

resolving.setUp(Module);

// ---- Cycles ----

function warnOfCycle(property) {
  process.emitWarning(`Accessing non-existent property '${String(property)}' of module exports ` +
    'inside circular dependency');
}

// The prototype, for the time being, of the exports of a module that is not complete.
const cycleDetector = new Proxy({}, {
  __proto__: null,
  get(target, property) {
    if (property in target || property === '__esModule') return target[property];
    warnOfCycle(property);
    return undefined;
  },
  getOwnPropertyDescriptor(target, property) {
    if (Object.hasOwn(target, property) || property === '__esModule') {
      return Object.getOwnPropertyDescriptor(target, property);
    }
    warnOfCycle(property);
    return undefined;
  },
});

function hasPrototype(exports, prototype) {
  return (typeof exports === 'object' ? exports !== null : typeof exports === 'function') &&
    !isProxy(exports) && Object.getPrototypeOf(exports) === prototype;
}

function exportsSoFar(module) {
  const { exports } = module;
  if (module[kRequiredModule] !== undefined) {
    const { throwCycle } = require('internal/modules/esm/require');
    throwCycle(module.id, parentOf(module)?.filename, '');
  }
  if (hasPrototype(exports, Object.prototype) && !exports.__esModule) {
    Object.setPrototypeOf(exports, cycleDetector);
  }
  return exports;
}

// ---- Loading ----

function loadBuiltin(id) {
  return require('internal/modules/esm/builtins').requireBuiltin(id);
}

// { exports }, or { source, format } if a hook replaces a builtin.
function loadBuiltinByHooks(id, url, format) {
  if (loadHooks.length > 0) {
    const loaded = require('internal/modules/cjs/hooks')
      .loadForRequire(url ?? `node:${id}`, id, format || 'builtin');
    if (loaded.format && loaded.format !== 'builtin') return loaded;
  }
  return { exports: loadBuiltin(id) };
}

function forget(module, filename, parent) {
  delete Module._cache[filename];
  const children = parent?.children;
  if (!Array.isArray(children)) return;
  const index = children.indexOf(module);
  if (index !== -1) children.splice(index, 1);
}

// Options between the loaders, not for programs.
const kNothing = { __proto__: null };

// -> { filename, url, format }
function resolveForLoad(request, parent, isMain, internal) {
  if (internal.resolved !== undefined) return internal.resolved;
  if (resolveHooks.length > 0 && !internal.skipsHooks) {
    return require('internal/modules/cjs/hooks').resolveForRequire(request, parent, isMain);
  }
  return resolveByDefault(request, parent, isMain);
}

function resolveByDefault(request, parent, isMain, options) {
  if (!hasOwnScheme(request)) {
    const filename = `${Module._resolveFilename(request, parent, isMain, options)}`;
    return { __proto__: null, filename, url: undefined, format: undefined };
  }
  const filename = builtinId(request);
  if (filename === undefined) throw new ERR_UNKNOWN_BUILTIN_MODULE(request);
  return { __proto__: null, filename, url: request, format: 'builtin' };
}

// The id of the builtin for a file name; undefined if none.
function builtinOf(filename) {
  if (publicIds.has(filename)) return filename;
  return hasOwnScheme(filename) || filename.startsWith('internal/') ? builtinId(filename) :
    undefined;
}

Module._load = function (request, parent, isMain, internal = kNothing) {
  let requests;
  if (parent) {
    requests = requestsFrom(parent.path);
    const known = requests.get(request);
    if (known !== undefined) {
      const cached = Module._cache[known];
      if (cached !== undefined) {
        updateChildren(parent, cached, true);
        return cached.loaded ? cached.exports : exportsSoFar(cached);
      }
      requests.delete(request);
    }
  }

  const resolved = resolveForLoad(request, parent, isMain, internal);
  const { filename, url } = resolved;
  let { format } = resolved;
  let { source } = internal;
  let cached;
  const named = request === url && hasOwnScheme(request) ? builtinId(request) : undefined;
  if (named === undefined) {
    cached = Module._cache[filename];
    if (cached !== undefined) {
      updateChildren(parent, cached, true);
      if (cached.loaded) return cached.exports;
      if (!cached[kIsCachedByESMLoader] || cached[kIsExecuting] !== undefined) {
        return exportsSoFar(cached);
      }
    }
  }
  const builtin = named ?? (cached === undefined ? builtinOf(filename) : undefined);
  if (builtin !== undefined) {
    const loaded = loadBuiltinByHooks(builtin, url, format);
    if (loaded.source === undefined) return loaded.exports;
    ({ source, format } = loaded);
  }

  if (watchReports.isActive) require('internal/watch_mode/report').reportRequired(filename);
  // The loader of ES modules has the module in the table before it is run.
  const module = cached || new Module(filename, parent);
  if (isMain) process.mainModule = module;
  if (cached === undefined) {
    if (isMain) module.id = '.';
    module[kIsMain] = Boolean(isMain);
    Module._cache[filename] = module;
    module[kIsCachedByESMLoader] = false;
    module[kURL] = url;
    module[kFormat] = format;
  }
  if (source !== undefined) setSource(module, source);
  requests?.set(request, filename);
  let failed = true;
  try {
    module.load(filename);
    failed = false;
  } finally {
    if (failed) {
      requests?.delete(request);
      forget(module, filename, parent);
    }
  }
  if (hasPrototype(module.exports, cycleDetector)) {
    Object.setPrototypeOf(module.exports, Object.prototype);
  }
  return module.exports;
};

// The longest ending of a file name that there is a loader for: ".a.js" before ".js".
function findExtension(filename) {
  const name = filename.slice(filename.lastIndexOf('/') + 1);
  for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
    if (dot === 0) continue;
    const extension = name.slice(dot);
    if (Module._extensions[extension]) return extension;
  }
  return '.js';
}

// Of a format that a hook has chosen.
const kExtensions = { __proto__: null, addon: '.node', json: '.json' };

Module.prototype.load = function (filename) {
  this.filename ??= filename;
  this.paths ??= Module._nodeModulePaths(path.dirname(filename));
  const extension = this[kFormat] === undefined ? findExtension(filename) :
    kExtensions[this[kFormat]] ?? '.js';
  Module._extensions[extension](this, filename);
  this.loaded = true;
  keepExports(this);
};

Module.prototype.require = function (id) {
  validateString(id, 'id');
  if (id === '') throw new ERR_INVALID_ARG_VALUE('id', id, 'must be a non-empty string');
  return isWatched() ? loadWatched(id, this, false) : Module._load(id, this, false);
};

function isWatched() {
  return activeChannels.size > 0 || traced.require !== undefined;
}

function loadWatched(request, parent, isMain) {
  return traced.require === undefined ? loadTraced(request, parent, isMain) :
    traced.require(request, parent, () => loadTraced(request, parent, isMain));
}

// For the channels tracing:module.require:...
function loadTraced(request, parent, isMain) {
  const tracing = activeTracing('module.require');
  if (tracing === undefined) return Module._load(request, parent, isMain);
  const context = { __proto__: null, parentFilename: parent?.filename, id: request };
  return tracing.traceSync(Module._load, context, Module, request, parent, isMain);
}

// ---- Running a module ----

// For require.resolve().
function resolveByHooks(request, module, options) {
  return require('internal/modules/cjs/hooks')
    .resolveForRequire(request, module, false, options, true).filename;
}

function makeRequire(module) {
  function require(path) {
    return module.require(path);
  }

  function resolve(request, options) {
    validateString(request, 'request');
    if (resolveHooks.length > 0) return resolveByHooks(request, module, options);
    return Module._resolveFilename(request, module, false, options);
  }

  function paths(request) {
    validateString(request, 'request');
    return Module._resolveLookupPaths(request, module);
  }

  require.resolve = resolve;
  resolve.paths = paths;
  setOwn(require, 'main', process.mainModule);
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  return require;
}

function compileWrapped(content, filename) {
  const { runInThisContext } = require('vm');
  return runInThisContext(Module.wrap(content), {
    filename, lineOffset: 0, displayErrors: true,
    importModuleDynamically: require('internal/modules/esm/import_symbols').kDefaultLoader,
  });
}

// Only compiles, for -c.
function checkCommonJs(content, filename) {
  if (!isWrapperChanged) {
    compileCommonJs(content, filename);
    return;
  }
  const { Script } = require('vm');
  new Script(Module.wrap(content), { filename });
}

// The function of a CommonJS module; undefined if the source is that of an ES module, which may be
// if nothing says what it is.
function compile(module, content, filename, format) {
  if (isWrapperChanged) return compileWrapped(content, filename);
  try {
    return compileCache.cache === undefined ? compileCommonJs(content, filename) :
      compileCache.cache.compileCommonJs(content, filename);
  } catch (error) {
    const { isModuleSyntaxError, warnOfModuleSyntax } = require('internal/modules/esm/detect');
    if (format === undefined && options.detectModule &&
        (module[kIsMain] || options.requireModule) &&
        isModuleSyntaxError(error, content, filename)) {
      return undefined;
    }
    warnOfModuleSyntax(error, content, filename);
    throw error;
  }
}

Module.prototype._compile = function (content, filename, format) {
  if (format?.endsWith('typescript')) {
    const { stripModuleTypes } = require('internal/modules/typescript');
    content = stripModuleTypes(content, filename, this[kURL] ?? pathToUrl(filename));
    format = format === 'typescript' ? undefined : format.slice(0, -'-typescript'.length);
  }
  if (format === 'module') {
    loadESModule(this, filename, format, content);
    return undefined;
  }
  const compiled = compile(this, content, filename, format);
  if (compiled === undefined) {
    loadESModule(this, filename, undefined, content);
    return undefined;
  }
  if (sourceMaps.isKept) keepSourceMap(this, filename, content, sourceMapOf(compiled));
  const { exports } = this;
  this[kIsExecuting] = true;
  const args = [exports, makeRequire(this), this, filename, path.dirname(filename)];
  forgetMatches();
  const result = firstLine.isWanted && this[kIsMain] ?
    callPaused(compiled, exports, args) : Reflect.apply(compiled, exports, args);
  this[kIsExecuting] = false;
  return result;
};

// An ES module by require(), or as the main program although it does not look like one.
function loadESModule(module, filename, format, source) {
  if (format !== undefined) module[kFormat] = format;
  const { requireModule } = require('internal/modules/esm/require');
  requireModule(module, filename, source, module[kIsMain] === true, parentOf(module));
}

function readSource(filename) {
  if (permissions.isEnabled) checkPermission('fs.read', filename);
  const text = readText(filename);
  if (typeof text === 'string') return text;
  const { UVException } = require('internal/errors');
  throw new UVException({ errno: text, syscall: text === -21 ? 'read' : 'open',
    path: text === -21 ? undefined : filename });
}

// As require() reads a file: by the function of node:fs, if a program has replaced that.
function readForRequire(filename) {
  return fs.readFileSync === readFileSync ? readSource(filename) : fs.readFileSync(filename, 'utf8');
}

function stripBom(content) {
  return content.charCodeAt(0) === 0xFEFF ? content.slice(1) : content;
}

// The kind of a file, by its name or its package.
function formatOf(filename) {
  const dot = filename.lastIndexOf('.');
  const extension = dot > filename.lastIndexOf('/') + 1 ? filename.slice(dot) : '';
  switch (extension) {
    case '.cjs': return 'commonjs';
    case '.mjs': return 'module';
    case '.js': case '': {
      const type = resolving.typeOf(filename);
      return type === 'none' ? undefined : type;
    }
    case '.cts': return options.stripTypes ? 'commonjs-typescript' : undefined;
    case '.mts': return options.stripTypes ? 'module-typescript' : undefined;
    case '.ts': {
      if (!options.stripTypes) return undefined;
      const type = resolving.typeOf(filename);
      return type === 'none' ? 'typescript' : `${type}-typescript`;
    }
    default: return undefined;
  }
}

// The text of a module. The format that hooks give it is in module[kFormat] afterwards.
function loadSource(module, filename, format) {
  if (module[kFormat] === undefined && format !== undefined) module[kFormat] = format;
  const known = sourceOf(module);
  if (known !== undefined) return known;
  if (loadHooks.length === 0) return readForRequire(filename);
  if (module[kURL] === undefined) module[kURL] = pathToUrl(filename);
  const loaded = require('internal/modules/cjs/hooks')
    .loadForRequire(module[kURL], filename, module[kFormat]);
  if (loaded.format !== undefined) module[kFormat] = loaded.format;
  setSource(module, loaded.source);
  return loaded.source;
}

Module._extensions['.js'] = function (module, filename) {
  const content = loadSource(module, filename, formatOf(filename));
  const format = module[kFormat];
  if ((format === 'module' || format === 'module-typescript') && !options.requireModule) {
    const parentPath = parentOf(module)?.filename;
    throw new ERR_REQUIRE_ESM(filename, require('internal/modules/esm/detect').isESModule(content),
      parentPath, filename.endsWith('.js') ? resolving.scopeOf(filename).path : undefined);
  }
  module._compile(content, filename, format);
};

Module._extensions['.json'] = function (module, filename) {
  const content = loadSource(module, filename, 'json');
  try {
    module.exports = JSON.parse(stripBom(content));
  } catch (err) {
    err.message = `${filename}: ${err.message}`;
    throw err;
  }
};

Module._extensions['.node'] = function (module, filename) {
  return process.dlopen(module, path.toNamespacedPath(filename));
};

// ---- What else programs find here ----

Object.defineProperty(Module.prototype, 'constructor', {
  __proto__: null,
  get() { return Module; },
  configurable: false,
  enumerable: false,
});

Object.defineProperty(Module.prototype, 'isPreloading', {
  __proto__: null,
  get() { return isPreloading; },
});

let isParentWarned = false;

function warnOfParent() {
  if (isParentWarned || !getOptionValue('--pending-deprecation')) return;
  isParentWarned = true;
  process.emitWarning('module.parent is deprecated due to accuracy issues. Please use ' +
    'require.main to find program entry point instead.', 'DeprecationWarning', 'DEP0144');
}

Object.defineProperty(Module.prototype, 'parent', {
  __proto__: null,
  get() {
    warnOfParent();
    return parentOf(this);
  },
  set(value) {
    warnOfParent();
    setParent(this, value);
  },
});

const kCreateRequireExpects =
  'must be a file URL object, file URL string, or absolute path string';

function createRequire(filename) {
  const { URL, fileURLToPath, isURL } = require('internal/url');
  let file = filename;
  let url;
  if (isURL(filename) || (typeof filename === 'string' && !path.isAbsolute(filename))) {
    try {
      url = new URL(filename);
      file = fileURLToPath(url);
    } catch {
      throw new ERR_INVALID_ARG_VALUE('filename', filename, kCreateRequireExpects);
    }
  } else if (typeof filename !== 'string') {
    throw new ERR_INVALID_ARG_VALUE('filename', filename, kCreateRequireExpects);
  }
  // A folder matches any file in it.
  if (file.endsWith('/')) file = path.join(file, 'noop.js');
  const module = new Module(file);
  module.filename = file;
  // With its query, for hooks.
  if (url !== undefined) module[kURL] = url.href;
  module.paths = Module._nodeModulePaths(module.path);
  return makeRequire(module);
}

Module.createRequire = createRequire;

Module._preloadModules = function (requests) {
  if (!Array.isArray(requests)) return;
  isPreloading = true;
  const parent = new Module('internal/preload', null);
  try {
    parent.paths = Module._nodeModulePaths(process.cwd());
  } catch (error) {
    if (error.code !== 'ENOENT') {
      isPreloading = false;
      throw error;
    }
  }
  for (const request of requests) parent.require(request);
  isPreloading = false;
};

Module.syncBuiltinESMExports = function syncBuiltinESMExports() {
  require('internal/modules/esm/builtins').syncExports();
};

Module.Module = Module;
Module.builtinModules = builtinModules;
Module.registerHooks = registerHooks;

module.exports = {
  Module,
  exportsOf,
  keepExports,
  formatOf,
  kFormat,
  kIsCachedByESMLoader,
  kIsExecuting,
  kIsMain,
  checkCommonJs,
  kRequiredModule,
  kURL,
  isWatched,
  loadWatched,
  makeRequire,
  options,
  readForRequire,
  readSource,
  requireStackOf,
  resolveByDefault,
  setSource,
  sourceOf,
  stripBom,
};
