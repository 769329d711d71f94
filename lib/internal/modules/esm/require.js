'use strict';
// require() of an ES module: possible when nothing in its graph awaits at the top level.

const {
  ERR_REQUIRE_ASYNC_MODULE,
  ERR_REQUIRE_CYCLE_MODULE,
} = require('internal/errors').codes;
const { Module, kIsExecuting, kRequiredModule } = require('internal/modules/cjs/loader');
const { pathOf } = require('internal/modules/esm/formats');
const { pathToUrl } = require('internal/modules/package_resolve');
const {
  compile, evaluate, getNamespace, getStatus, isGraphAsync, kEvaluating, link,
} = binding('module_wrap');
const { keepSourceLine } = binding('modules');
const { constants: { kRejected }, getPromiseDetails } = binding('util');

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
  throw reason;
}

// How a required ES module shows itself when `module` is inspected.
class ModuleWrap {
  constructor(url) {
    this.sourceMapURL = undefined;
    this.url = url;
    this.async = false;
  }
}

function throwCycle(filename, from, explanation) {
  throw new ERR_REQUIRE_CYCLE_MODULE(`Cannot require() ES Module ${filename} in a cycle.` +
    `${from ? ` (from ${from})` : ''}${explanation}`);
}

// A CommonJS module that is being run cannot be part of the graph: its exports are not complete.
function checkCommonJs(record, seen = new Set()) {
  if (seen.has(record) || record.imports === undefined) return;
  seen.add(record);
  for (let i = 0; i < record.imports.length; i += 2) {
    const child = record.imports[i + 1];
    if (child.format === 'commonjs' && Module._cache[pathOf(child.url)]?.[kIsExecuting]) {
      throw new ERR_REQUIRE_CYCLE_MODULE(`Cannot import CommonJS Module ${record.imports[i]} ` +
        `in a cycle. (from ${pathOf(record.url)})`);
    }
    checkCommonJs(child, seen);
  }
}

// Loads the file into `module`. The main program may await: it is run as import would run it.
function requireModule(module, filename, source, isMain, parent) {
  const url = pathToUrl(filename);
  if (isMain) {
    process.mainModule = undefined;
    require('internal/modules/run_main').runModule(url, source);
    return;
  }
  const loader = require('internal/modules/esm/loader');
  const known = loader.records.get(url);
  if (known !== undefined && getStatus(known.handle) === kEvaluating) {
    throwCycle(filename, parent?.filename, ' A cycle involving require(esm) is not allowed to ' +
      'maintain invariants mandated by the ECMAScript specification. Try making at least part ' +
      'of the dependency in the graph lazily loaded.');
  }
  const record = loader.load(url, undefined, source);
  module[kRequiredModule] = new ModuleWrap(url);
  checkCommonJs(record);
  loader.instantiateRecord(record);
  if (isGraphAsync(record.handle)) {
    throw new ERR_REQUIRE_ASYNC_MODULE(filename, parent?.filename);
  }
  evaluateNow(record);
  module.exports = exportsOf(record.handle, url);
}

module.exports = { requireModule, throwCycle };
