'use strict';
// The conditions under which a target in a package's "exports" or "imports" applies.

const conditions = {
  import: new Set(['node', 'import', 'module-sync', 'node-addons']),
  require: new Set(['require', 'node', 'module-sync', 'node-addons']),
};

let importList;

// Those of import as hooks see them.
function importConditions() {
  importList ??= Object.freeze([...conditions.import]);
  return importList;
}

// Those of the option --conditions.
function addConditions(names) {
  importList = undefined;
  for (const name of names) {
    conditions.import.add(name);
    conditions.require.add(name);
  }
}

function removeCondition(name) {
  importList = undefined;
  conditions.import.delete(name);
  conditions.require.delete(name);
}

module.exports = { addConditions, conditions, importConditions, removeCondition };
