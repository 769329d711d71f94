'use strict';
// Options that change something when a program starts, and that few programs are given.

const { addConditions, removeCondition } = require('internal/modules/conditions');
const { ERR_PROTO_ACCESS } = require('internal/errors').codes;

function forbidProto() {
  throw new ERR_PROTO_ACCESS();
}

const effects = {
  '__proto__': null,

  '--addons'(isWanted) {
    if (!isWanted) removeCondition('node-addons');
  },

  '--conditions': addConditions,

  '--disable-proto'(mode) {
    delete Object.prototype.__proto__;
    if (mode !== 'throw') return;
    Object.defineProperty(Object.prototype, '__proto__', {
      __proto__: null, get: forbidProto, set: forbidProto, enumerable: false, configurable: true,
    });
  },

  '--dns-result-order'(order) {
    require('internal/dns/lookup').setDefaultResultOrder(order, '--dns-result-order');
  },

  '--enable-source-maps'(isWanted) {
    process.setSourceMapsEnabled(isWanted);
  },

  '--experimental-stream-iter'(isWanted) {
    if (isWanted) require('internal/fs/promises').installStreamIter();
  },

  '--network-family-autoselection'(isWanted) {
    require('net').setDefaultAutoSelectFamily(isWanted);
  },

  '--network-family-autoselection-attempt-timeout'(milliseconds) {
    require('net').setDefaultAutoSelectFamilyAttemptTimeout(Number(milliseconds));
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
};
