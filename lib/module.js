'use strict';

const { Module } = require('internal/modules/cjs/loader');
const { findSourceMap, getSourceMapsSupport, setSourceMapsSupport } = require('internal/source_map/support');
const { SourceMap } = require('internal/source_map/source_map');

Module.runMain = require('internal/modules/run_main').executeUserEntryPoint;
Module.findPackageJSON = function findPackageJSON(...args) {
  return require('internal/modules/find_package_json').findPackageJSON(...args);
};

for (const name of ['enableCompileCache', 'flushCompileCache', 'getCompileCacheDir']) {
  Module[name] = { [name](options) {
    return require('internal/modules/compile_cache')[name](options);
  } }[name];
}
Module.constants = {
  __proto__: null,
  compileCacheStatus: Object.freeze({
    __proto__: null, FAILED: 0, ENABLED: 1, ALREADY_ENABLED: 2, DISABLED: 3,
  }),
};
Module.register = function register(...args) {
  return require('internal/modules/esm/registered_hooks').register(...args);
};
Module.stripTypeScriptTypes = function stripTypeScriptTypes(code, options) {
  return require('internal/modules/typescript').stripTypeScriptTypes(code, options);
};
Module.findSourceMap = findSourceMap;
Module.SourceMap = SourceMap;
Module.getSourceMapsSupport = getSourceMapsSupport;
Module.setSourceMapsSupport = setSourceMapsSupport;

module.exports = Module;
