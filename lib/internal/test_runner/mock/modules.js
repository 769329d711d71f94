'use strict';
// mock.module(): while a mock is active, import and require() of a module give other exports. import is redirected by hooks
// (module.registerHooks), which give each mock a URL of its own; require() by a Module._load of our own.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_INVALID_STATE } } =
  require('internal/errors');
const { Module } = require('internal/modules/cjs/loader');
const { registerHooks } = require('internal/modules/customization_hooks');
const { hintOf } = require('internal/modules/esm/formats');
const { resolveUrl } = require('internal/modules/esm/loader');
const { pathToUrl } = require('internal/modules/package_resolve');
const { callerOf } = require('internal/test_runner/location');
const { URL, fileURLToPath, isURL } = require('internal/url');
const { emitExperimentalWarning } = require('internal/util');
const { validateBoolean, validateObject, validateOneOf } = require('internal/validators');

const kParameter = 'node-test-mock'; // in the URL of a mock
const kBadExports = 'Cannot create mock because named exports cannot be applied to the provided ' +
  'default export.';
const kFormats = ['builtin', 'commonjs-typescript', 'commonjs', 'json', 'module-typescript',
  'module'];

// URL of a module -> { url, file, exports, usesCache, format, version, isActive, caller }
const mocks = new Map();
const mocksByFile = new Map(); // the same by what require() finds

// ---- import ----

function withoutParameter(text) {
  const url = URL.parse(text);
  if (url === null) return text;
  url.searchParams.delete(kParameter);
  return url.href;
}

function resolve(specifier, context, nextResolve) {
  const found = nextResolve(specifier, context);
  const mock = mocks.get(found.url);
  if (mock?.isActive !== true) return found;
  const url = new URL(found.url);
  url.searchParams.set(kParameter, mock.version);
  // Modules stay loaded: the next import gets another URL.
  if (!mock.usesCache) mock.version++;
  return { __proto__: null, url: url.href, format: found.format };
}

function load(url, context, nextLoad) {
  const mock = mocks.get(withoutParameter(url));
  // No builtin module has an id with this parameter.
  const original = nextLoad(url.startsWith('node:') ? withoutParameter(url) : url, context);
  if (mock?.isActive !== true) return original;
  const format = original.format === 'builtin' ? 'commonjs' :
    original.format === 'json' ? 'module' : original.format;
  return { __proto__: null, format, shortCircuit: true, source: sourceOf(mock, format) };
}

// A module that takes its exports from here.
function sourceOf({ exports, url }, format) {
  const names = Object.keys(exports).filter((name) => name !== 'default');
  const hasDefault = 'default' in exports;
  const key = JSON.stringify(url);
  if (format === 'module' || format === 'module-typescript') {
    return `import $__test from 'node:test';\n` +
      `const $__exports = $__test.mock._mockExports.get(${key});\n` +
      (hasDefault ? 'export default $__exports.default;\n' : '') +
      names.map((name) => `export let ${name} = $__exports[${JSON.stringify(name)}];\n`).join('');
  }
  return `const $__exports = require('node:test').mock._mockExports.get(${key});\n` +
    (hasDefault ? 'module.exports = $__exports.default;\n' : '') +
    (names.length > 0 ? 'if (module.exports === null || typeof module.exports !== "object") ' +
      `throw new Error(${JSON.stringify(kBadExports)});\n` : '') +
    names.map((name) => `module.exports[${JSON.stringify(name)}] = ` +
      `$__exports[${JSON.stringify(name)}];\n`).join('');
}

// ---- require() ----

const realLoad = Module._load;

function exportsForRequire({ exports }) {
  const result = 'default' in exports ? exports.default : {};
  const names = Object.keys(exports).filter((name) => name !== 'default');
  if ((typeof result !== 'object' || result === null) && names.length > 0) {
    throw new Error(kBadExports);
  }
  for (const name of names) {
    Object.defineProperty(result, name, Object.getOwnPropertyDescriptor(exports, name));
  }
  return result;
}

function loadMocked(request, parent, isMain, ...internal) {
  request = request.includes(kParameter) ? withoutParameter(request) : request;
  const found = Module.isBuiltin(request) ?
    (request.startsWith('node:') ? request : `node:${request}`) :
    Module._resolveFilename(request, parent, isMain);
  const mock = mocksByFile.get(found);
  if (mock === undefined) return realLoad(request, parent, isMain, ...internal);
  const { usesCache } = mock;
  if (usesCache && Module._cache[found]) return Module._cache[found].exports;
  const exports = exportsForRequire(mock);
  if (usesCache) {
    const entry = new Module(found, mock.caller);
    Object.assign(entry, {
      exports, filename: found, loaded: true, paths: Module._nodeModulePaths(entry.path),
    });
    Module._cache[found] = entry;
  }
  return exports;
}

// ---- mock.module() ----

let isSetUp = false;

function setUp() {
  if (isSetUp) return;
  isSetUp = true;
  registerHooks({ __proto__: null, resolve, load });
  require('test').mock._mockExports = new Map();
  Module._load = loadMocked;
}

const warned = new Set();

function warnOfOption(options, name, instead) {
  if (!(name in options) || warned.has(name)) return;
  warned.add(name);
  process.emitWarning(`mock.module(): options.${name} is deprecated. Use options.${instead} ` +
    'instead.', 'DeprecationWarning');
}

function copyProperties(from, to) {
  for (const key of Reflect.ownKeys(from)) {
    Object.defineProperty(to, key, { __proto__: null, ...Object.getOwnPropertyDescriptor(from, key) });
  }
}

function exportsOf(options) {
  const hasNamed = 'namedExports' in options;
  const hasDefault = 'defaultExport' in options;
  warnOfOption(options, 'namedExports', 'exports');
  warnOfOption(options, 'defaultExport', 'exports.default');
  const { exports, namedExports } = options;
  const hasExports = 'exports' in options;
  if (hasExports) validateObject(exports, 'options.exports');
  if (hasNamed) validateObject(namedExports, 'options.namedExports');
  if (hasExports && (hasNamed || hasDefault)) {
    const others = [hasNamed && "'options.namedExports'", hasDefault && "'options.defaultExport'"]
      .filter(Boolean).join(' or ');
    throw new ERR_INVALID_ARG_VALUE('options.exports', exports, `cannot be used with ${others}`);
  }
  const result = { __proto__: null };
  if (hasExports) copyProperties(exports, result);
  if (hasNamed) copyProperties(namedExports, result);
  if (hasDefault) {
    Object.defineProperty(result, 'default',
      { __proto__: null, ...Object.getOwnPropertyDescriptor(options, 'defaultExport') });
  }
  return result;
}

class MockModuleContext {
  #mock;
  #cached; // what require() had loaded

  constructor(mock, specifier) {
    const { file, url } = mock;
    const known = mocks.get(url);
    if (known?.isActive) {
      throw new ERR_INVALID_STATE(`Cannot mock '${specifier}'. The module is already mocked.`);
    }
    mock.version = known?.version ?? 0;
    this.#mock = mock;
    this.#cached = file in Module._cache ? { module: Module._cache[file] } : undefined;
    delete Module._cache[file];
    mocks.set(url, mock);
    mocksByFile.set(url, mock).set(file, mock);
    require('test').mock._mockExports.set(url, mock.exports);
  }

  restore() {
    const mock = this.#mock;
    if (mock === undefined) return;
    this.#mock = undefined;
    delete Module._cache[mock.file];
    if (this.#cached !== undefined) Module._cache[mock.file] = this.#cached.module;
    mock.isActive = false;
    mock.version++;
    mocksByFile.delete(mock.url);
    mocksByFile.delete(mock.file);
  }
}

function mockModule(specifier, options, callee) {
  emitExperimentalWarning('Module mocking');
  if (typeof specifier !== 'string') {
    if (!isURL(specifier)) {
      throw new ERR_INVALID_ARG_TYPE('specifier', ['string', 'URL'], specifier);
    }
    specifier = `${specifier}`;
  }
  validateObject(options, 'options');
  const { cache: usesCache = false } = options;
  validateBoolean(usesCache, 'options.cache');
  const exports = exportsOf(options);
  setUp();
  const name = specifier.startsWith('node:') ? specifier.slice(5) : specifier;
  const { file: from } = callerOf(callee);
  const caller = from.startsWith('file://') ? from : pathToUrl(from);
  const url = resolveUrl(name, caller);
  const format = hintOf(url, undefined);
  if (format) validateOneOf(format, 'format', kFormats);
  const parsed = URL.parse(url);
  if (parsed === null) throw new ERR_INVALID_ARG_VALUE('specifier', specifier, 'cannot compute URL');
  if (parsed.searchParams.has(kParameter)) {
    throw new ERR_INVALID_STATE(`Cannot mock '${specifier}'. The module is already mocked.`);
  }
  const file = url.startsWith('file://') ? fileURLToPath(url) : null;
  return new MockModuleContext(
    { url: parsed.href, file, exports, usesCache, format, isActive: true, caller }, name);
}

module.exports = { mockModule };
