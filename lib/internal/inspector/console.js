'use strict';
// Lets console.log() and its kin report to the inspector too. Done when the first session connects, because a call
// through both costs more.

const console = require('internal/console/global');
const engineConsole = require('internal/console/engine');
const { both } = binding('inspector');

let reports = false;

function reportConsole() {
  if (reports) return;
  reports = true;
  for (const key of Object.keys(engineConsole)) {
    const own = console[key];
    if (typeof own === 'function' && own !== engineConsole[key]) console[key] = both(key, engineConsole[key], own);
  }
}

module.exports = { reportConsole };
