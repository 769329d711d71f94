'use strict';

const { Module } = require('internal/modules/cjs/loader');
const { findSourceMap, getSourceMapsSupport, setSourceMapsSupport } = require('internal/source_map/support');
const { SourceMap } = require('internal/source_map/source_map');

Module.runMain = require('internal/modules/run_main').executeUserEntryPoint;
Module.findPackageJSON = function findPackageJSON(specifier, ...base) {
  return require('internal/modules/find_package_json').findPackageJSON(specifier, ...base);
};

Module.enableCompileCache = function enableCompileCache(options) {
  return require('internal/modules/compile_cache').enableCompileCache(options);
};
Module.flushCompileCache = function flushCompileCache() {
  return require('internal/modules/compile_cache').flushCompileCache();
};
Module.getCompileCacheDir = function getCompileCacheDir() {
  return require('internal/modules/compile_cache').getCompileCacheDir();
};
Module.constants = Object.freeze({
  __proto__: null,
  compileCacheStatus: Object.freeze({
    __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3,
  }),
});
Module.register = function register(specifier, ...rest) {
  return require('internal/modules/esm/registered_hooks').register(specifier, ...rest);
};
Module.stripTypeScriptTypes = function stripTypeScriptTypes(code, options = undefined) {
  return require('internal/modules/typescript').stripTypeScriptTypes(code, options);
};
Module.findSourceMap = findSourceMap;
Module.SourceMap = SourceMap;
Module.getSourceMapsSupport = getSourceMapsSupport;
Module.setSourceMapsSupport = setSourceMapsSupport;

module.exports = Module;
