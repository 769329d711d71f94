'use strict';
// Options that change something when a program starts, and that few programs are given.

const { addConditions, removeCondition } = require('internal/modules/conditions');
const { Tracing } = require('internal/native/enums');

// What --trace-env and its kin write.
const { names: kNames, jsStack: kJavaScriptStack, nativeStack: kNativeStack } = Tracing;
let tracedEnv = 0;

function traceEnv(what) {
  tracedEnv = Math.max(tracedEnv, what);
  binding('env').trace(tracedEnv);
}

function warnOfConfigFile() {
  require('internal/util').emitExperimentalWarning('--experimental-config-file');
}

const effects = {
  '__proto__': null,

  '--addons'(isWanted) {
    if (!isWanted) removeCondition('node-addons');
  },

  '--conditions': addConditions,

  '--disable-proto'(mode) {
    require('internal/process/disable_proto')(Object.prototype, mode);
  },

  '--dns-result-order'(order) {
    require('internal/dns/lookup').setOrder(order, '--dns-result-order');
  },

  '--enable-source-maps'(isWanted) {
    process.setSourceMapsEnabled(isWanted);
  },

  '--experimental-stream-iter'(isWanted) {
    if (isWanted) require('internal/fs/promises').installStreamIter();
  },

  '--experimental-config-file': warnOfConfigFile,
  '--experimental-default-config-file': warnOfConfigFile,

  '--network-family-autoselection'(isWanted) {
    require('net').setDefaultAutoSelectFamily(isWanted);
  },

  '--network-family-autoselection-attempt-timeout'(milliseconds) {
    require('net').setDefaultAutoSelectFamilyAttemptTimeout(Number(milliseconds));
  },

  '--trace-env'(isWanted) {
    if (isWanted) traceEnv(kNames);
  },

  '--trace-env-js-stack'(isWanted) {
    if (isWanted) traceEnv(kJavaScriptStack);
  },

  '--trace-env-native-stack'(isWanted) {
    if (isWanted) traceEnv(kNativeStack);
  },

  '--trace-sigint'(isWanted) {
    if (isWanted && require('worker_threads').isMainThread) require('internal/process/signals').setTraceSigint(true);
  },

  '--trace-sync-io'(isWanted) {
    if (isWanted) require('internal/process/trace_sync_io')();
  },

  '--require-module'(isWanted) {
    if (!isWanted) removeCondition('module-sync');
  },
};

// Those of the permission model have their effect together: { main, options }.
function startPermissions({ main, options }) {
  const names = Object.keys(options);
  if (!names.some((name) => name.startsWith('--permission') || name.startsWith('--allow-'))) return;
  const entries = main.path === undefined ? [] : [...options['--require'] ?? [], main.path];
  require('internal/process/permission').start(process, entries);
}

module.exports = function applyOptions(info) {
  const { options } = info;
  for (const name of Object.keys(options)) effects[name]?.(options[name]);
  startPermissions(info);
  if (options['--inspect'] || options['--inspect-port'] !== undefined) {
    require('internal/inspector/server').start(options, info.main);
  }
};
