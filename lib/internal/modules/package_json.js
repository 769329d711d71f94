'use strict';
// The package.json files that modules are found by. Each is read once: what a program changes in
// them later is not seen, as in Node.

const { readText } = binding('modules');
const { isGranted } = require('internal/process/permission');

const kMissing = Object.freeze({
  __proto__: null,
  exists: false,
  path: undefined,
  folder: undefined,
  name: undefined,
  main: undefined,
  exports: undefined,
  imports: undefined,
  type: 'none',
});

const files = new Map(); // path of a package.json -> its fields
const scopes = new Map(); // folder -> the fields of the nearest package.json

function isPlainObject(value) {
  return typeof value === 'object' && value !== null;
}

function parse(path, text) {
  let data;
  try {
    data = JSON.parse(text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text);
  } catch (error) {
    // Told apart by readers: require() and import report it differently.
    error.packageJsonPath = path;
    throw error;
  }
  // Nothing from Object.prototype: a program may have added something there.
  data = isPlainObject(data) ? { __proto__: null, ...data } : { __proto__: null };
  return {
    __proto__: null,
    exists: true,
    path,
    folder: path.slice(0, -'/package.json'.length),
    name: typeof data.name === 'string' ? data.name : undefined,
    main: typeof data.main === 'string' ? data.main : undefined,
    exports: data.exports,
    imports: isPlainObject(data.imports) ? data.imports : undefined,
    type: data.type === 'module' || data.type === 'commonjs' ? data.type : 'none',
  };
}

// The fields of one package.json. Throws a SyntaxError with `packageJsonPath` if it is not JSON.
function read(path) {
  let fields = files.get(path);
  if (fields === undefined) {
    const text = isGranted('fs.read', path) ? readText(path) : undefined;
    fields = typeof text === 'string' ? parse(path, text) : kMissing;
    files.set(path, fields);
  }
  return fields;
}

function findScope(folder) {
  if (folder.endsWith('/node_modules')) return kMissing;
  const fields = read(`${folder}/package.json`);
  if (fields.exists || folder === '') return fields;
  return scopeOfFolder(folder.slice(0, folder.lastIndexOf('/')));
}

function scopeOfFolder(folder) {
  let fields = scopes.get(folder);
  if (fields === undefined) {
    fields = findScope(folder);
    scopes.set(folder, fields);
  }
  return fields;
}

// "module", "commonjs" or "none".
function typeOf(path) {
  return scopeOf(path).type;
}

// The fields of the package.json that applies to a file: the nearest one above it, within its
// package.
function scopeOf(path) {
  return scopeOfFolder(path.slice(0, path.lastIndexOf('/')));
}

module.exports = { read, scopeOf, typeOf };
