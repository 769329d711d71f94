'use strict';
// require() of an ES module: possible when nothing in its graph awaits at the top level.

const {
  ERR_REQUIRE_ASYNC_MODULE,
  ERR_REQUIRE_CYCLE_MODULE,
  ERR_REQUIRE_ESM_RACE_CONDITION,
} = require('internal/errors').codes;
const { Module, kIsCachedByESMLoader, kIsExecuting, kRequiredModule, requireStackOf } =
  require('internal/modules/cjs/loader');
const { pathOf } = require('internal/modules/esm/formats');
const { pathToUrl } = require('internal/modules/package_resolve');
const { getOptionValue } = require('internal/options');
const {
  compile, evaluate, getError, getNamespace, getStatus, isGraphAsync, kErrored, kEvaluated,
  kEvaluating, kInstantiated, link,
} = binding('module_wrap');
const { keepSourceLine } = binding('modules');
const { constants: { kRejected }, getPromiseDetails, isInsideNodeModules } = binding('util');

const kFacade = "export * from 'original'; export { default } from 'original'; " +
  'export const __esModule = true;';

// Transpilers ask a required module for __esModule when they look for its default export.
function facadeOf(handle, url) {
  const facade = compile(kFacade, 'node:internal/require_module_default_facade');
  link(facade, [handle, handle]);
  require('internal/modules/esm/loader').instantiateRecord({ handle: facade, url });
  evaluate(facade);
  return getNamespace(facade);
}

function exportsOf(handle, url) {
  const namespace = getNamespace(handle);
  if (Object.hasOwn(namespace, 'module.exports')) return namespace['module.exports'];
  if (!Object.hasOwn(namespace, 'default') || Object.hasOwn(namespace, '__esModule')) {
    return namespace;
  }
  return facadeOf(handle, url);
}

function evaluateNow(record) {
  const promise = evaluate(record.handle);
  const [state, reason] = getPromiseDetails(promise);
  if (state !== kRejected) return;
  promise.catch(() => {}); // it is reported by throwing
  keepSourceLine(reason);
  require('internal/modules/esm/loader').explainMissingVariable(record, reason);
  throw reason;
}

// How a required ES module shows itself when `module` is inspected.
class ModuleWrap {
  constructor(url) {
    this.hasTopLevelAwait = false;
    this.sourceURL = undefined;
    this.sourceMapURL = undefined;
    this.synthetic = false;
    this.url = url;
  }
}

function throwCycle(filename, from, explanation) {
  throw new ERR_REQUIRE_CYCLE_MODULE(`Cannot require() ES Module ${filename} in a cycle.` +
    `${from ? ` (from ${from})` : ''}${explanation}`);
}

// What is being run cannot be part of the graph: its exports are not complete.
function checkCycles(record, seen = new Set()) {
  if (seen.has(record) || record.imports === undefined) return;
  seen.add(record);
  for (let i = 0; i < record.imports.length; i += 2) {
    const specifier = record.imports[i];
    const child = record.imports[i + 1];
    const isEvaluating = getStatus(child.handle) === kEvaluating;
    const isCommonJs = child.format === 'commonjs' || child.format === 'commonjs-typescript';
    if (isEvaluating || (isCommonJs && Module._cache[pathOf(child.url)]?.[kIsExecuting])) {
      throw new ERR_REQUIRE_CYCLE_MODULE(`Cannot import ${isEvaluating ? '' : 'CommonJS '}Module ` +
        `${specifier} in a cycle. (from ${pathOf(record.url)})`);
    }
    checkCycles(child, seen);
  }
}

function checkAsync(record, filename, parent) {
  if (!isGraphAsync(record.handle)) return;
  const error = new ERR_REQUIRE_ASYNC_MODULE(filename, parent && requireStackOf(parent));
  if (getOptionValue('--experimental-print-required-tla') === true) {
    require('internal/modules/esm/await_locations').addLocations(error, record);
  }
  throw error;
}

// Which was imported or required before. Returns whether it has run.
function checkKnown(record, filename, parent) {
  const { handle } = record;
  const status = getStatus(handle);
  if (status >= kInstantiated) checkAsync(record, filename, parent);
  if (status === kErrored) throw getError(handle);
  if (status === kEvaluating) {
    throwCycle(filename, parent?.filename, ' A cycle involving require(esm) is not allowed to ' +
      'maintain invariants mandated by the ECMAScript specification. Try making at least part ' +
      'of the dependency in the graph lazily loaded.');
  }
  if (status < kInstantiated) {
    throw new ERR_REQUIRE_ESM_RACE_CONDITION(filename, parent?.filename);
  }
  return status === kEvaluated;
}

// Whether the caller is a package. For a module that import has seen before only the stack says so.
function isOfPackage(module, parent) {
  if (parent) return Boolean(parent.filename?.includes('/node_modules/'));
  return !module[kIsCachedByESMLoader] || isInsideNodeModules();
}

function warn(module, parent) {
  const mode = getOptionValue('--trace-require-module');
  if (mode === undefined) return;
  if (mode === 'no-node-modules' && isOfPackage(module, parent)) return;
  let from = parent && (parent.filename || parent.id);
  if (from === 'internal/preload') from = '--require';
  else if (from === '<repl>') from = 'The REPL';
  else if (from === '.') from = 'The entry point';
  else if (from) from = `CommonJS module ${from}`;
  const to = module.id || module.filename;
  // Our own frames would leave no room for those of the program.
  const first = parent && from !== '--require' ? parent.constructor.prototype.require : undefined;
  require('internal/util').emitExperimentalWarning('Support for loading ES Module in require()',
    from && to ? `${from} is loading ES Module ${to} using require().\n` : undefined, first);
}

// Loads the file into `module`. The main program may await: it is run as import would run it.
function requireModule(module, filename, source, isMain, parent) {
  const url = pathToUrl(filename);
  if (isMain) {
    process.mainModule = undefined;
    require('internal/modules/run_main').runModule(url, source);
    return;
  }
  warn(module, parent);
  const loader = require('internal/modules/esm/loader');
  let record = loader.records.get(url);
  module[kRequiredModule] = new ModuleWrap(url);
  if (record !== undefined) {
    if (checkKnown(record, filename, parent)) {
      module.exports = exportsOf(record.handle, url);
      return;
    }
  } else {
    record = loader.loadText(source, url, false, checkCycles);
    loader.instantiateRecord(record, true);
    checkAsync(record, filename, parent);
  }
  evaluateNow(record);
  module.exports = exportsOf(record.handle, url);
}

// The exports of what is loaded, run now.
function runNow(record, filename, parent = undefined) {
  const loader = require('internal/modules/esm/loader');
  if (getStatus(record.handle) < kInstantiated) loader.instantiateRecord(record, true);
  checkAsync(record, filename, parent);
  evaluateNow(record);
  return exportsOf(record.handle, record.url);
}

module.exports = { requireModule, runNow, throwCycle };
