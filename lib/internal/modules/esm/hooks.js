'use strict';
// What V8 asks when a program uses import() and import.meta. Called by C++.

const path = require('path');
const {
  ERR_INVALID_ARG_TYPE,
  ERR_SOURCE_PHASE_NOT_DEFINED,
  ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING,
  ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG,
  ERR_VM_MODULE_NOT_MODULE,
} = require('internal/errors').codes;
const { registered } = require('internal/modules/customization_hooks');
const { getOptionValue } = require('internal/options');
const { URL, isURL } = require('internal/url');
const { isModuleNamespaceObject } = require('internal/util/types');
const { callbacks, kImportsNeedFlag, kNoImports } =
  require('internal/modules/esm/import_symbols');
const { pathToUrl } = require('internal/modules/package_resolve');
const { kSourcePhase } = binding('module_wrap');

function isUrl(name) {
  return /^[a-z][a-z0-9+.-]*:/i.test(name);
}

// The URL against which a script of this name imports.
function baseOf(name) {
  if (typeof name === 'string') {
    if (name[0] === '/') return pathToUrl(name);
    if (isUrl(name) && !isAnonymous(name)) return name;
    if (name === '[eval]' || name === '[stdin]') return pathToUrl(path.join(process.cwd(), name));
  }
  return pathToUrl(`${process.cwd()}/`);
}

// Modules of node:vm and WebAssembly: handle -> function of import.meta
const metaInitializers = new WeakMap();

async function importByCallback({ callback, referrer }, specifier, attributes, phase) {
  if (callback === undefined) throw new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
  const object = { __proto__: null };
  for (let i = 0; i < attributes.length; i += 2) object[attributes[i]] = attributes[i + 1];
  const module = await callback(specifier, referrer, object,
    phase === kSourcePhase ? 'source' : 'evaluation');
  if (isModuleNamespaceObject(module)) {
    if (phase === kSourcePhase) throw new ERR_VM_MODULE_NOT_MODULE();
    return module;
  }
  if (!require('internal/vm/module').isModule(module)) throw new ERR_VM_MODULE_NOT_MODULE();
  if (module.status === 'errored') throw module.error;
  // No module of node:vm has a source.
  if (phase === kSourcePhase) throw new ERR_SOURCE_PHASE_NOT_DEFINED(module.identifier);
  return module.namespace;
}

// Code without a file, as eval called by a promise: what the context of node:vm says counts.
function isAnonymous(name) {
  return typeof name !== 'string' || name.startsWith('node:');
}

function errorOf(symbol) {
  if (symbol === kNoImports) return new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
  if (symbol === kImportsNeedFlag) return new ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG();
  return undefined;
}

// Errors are made at once, with the stack of the import, but the promise is rejected later.
// `contextSymbol` is that of the context, undefined in the main one.
async function importDynamically(symbol, specifier, attributes, name, contextSymbol, phase) {
  if (symbol === undefined && isAnonymous(name)) symbol = contextSymbol ?? kNoImports;
  if (callbacks.has(symbol)) {
    return importByCallback(callbacks.get(symbol), specifier, attributes, phase);
  }
  const error = errorOf(symbol);
  if (error === undefined) {
    const { importModule } = require('internal/modules/esm/loader');
    return importModule(specifier, baseOf(name), attributes, phase);
  }
  await undefined;
  throw error;
}

function makeResolve(url) {
  const takesParent = getOptionValue('--experimental-import-meta-resolve') === true;
  return function resolve(specifier, parentURL = url) {
    const { resolveUrl } = require('internal/modules/esm/loader');
    if (takesParent && typeof parentURL !== 'string' && !isURL(parentURL)) {
      throw new ERR_INVALID_ARG_TYPE('parentURL', ['string', 'URL'], parentURL);
    }
    const base = takesParent ? `${new URL(parentURL)}` : url;
    try {
      return resolveUrl(`${specifier}`, base);
    } catch (error) {
      // Where it would be, although it is not there.
      if ((error?.code === 'ERR_UNSUPPORTED_DIR_IMPORT' ||
           error?.code === 'ERR_MODULE_NOT_FOUND') && error.url) {
        return error.url;
      }
      throw error;
    }
  };
}

function initializeImportMeta(handle, meta) {
  const initializer = metaInitializers.get(handle);
  if (initializer !== undefined) {
    initializer(meta);
    return;
  }
  const { recordsByHandle } = require('internal/modules/esm/loader');
  const { url, isMain, isDetected } = recordsByHandle.get(handle);
  if (url.startsWith('file:')) {
    const filename = require('internal/modules/esm/formats').pathOf(url);
    meta.dirname = path.dirname(filename);
    meta.filename = filename;
  }
  meta.main = isMain && isDetected !== true;
  // Hooks of module.register() cannot wait for themselves.
  if (!registered.isHere) meta.resolve = makeResolve(url);
  meta.url = url;
}

module.exports = { importDynamically, initializeImportMeta, metaInitializers };
