'use strict';
// The conditions under which a target in a package's "exports" or "imports" applies.

const kCommon = ['node', 'module-sync', 'node-addons'];

const conditions = {
  import: new Set(['import', ...kCommon]),
  require: new Set(['require', ...kCommon]),
};

// Those of the option --conditions.
function addConditions(names) {
  for (const name of names) {
    conditions.import.add(name);
    conditions.require.add(name);
  }
}

function removeCondition(name) {
  conditions.import.delete(name);
  conditions.require.delete(name);
}

module.exports = { addConditions, conditions, removeCondition };
