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

// Without the code in its stack, as Node makes it.
function invalidConfig(path, from = undefined) {
  const error = new Error(`Invalid package config ${path}${from === undefined ? '' : ` while importing ${from}`}.`);
  error.code = 'ERR_INVALID_PACKAGE_CONFIG';
  return error;
}

function parseObject(path, text) {
  let data;
  try {
    data = JSON.parse(text.charCodeAt(0) === 0xFEFF ? text.slice(1) : text);
  } catch {
    throw invalidConfig(path);
  }
  if (!isPlainObject(data) || Array.isArray(data)) throw invalidConfig(path);
  // Nothing from Object.prototype: a program may have added something there.
  return { __proto__: null, ...data };
}

function parse(path, text) {
  const data = parseObject(path, text);
  for (const key of ['name', 'type']) {
    if (data[key] !== undefined && typeof data[key] !== 'string') throw invalidConfig(path);
  }
  return {
    __proto__: null,
    exists: true,
    path,
    folder: path.slice(0, -'/package.json'.length),
    name: data.name,
    main: typeof data.main === 'string' ? data.main : undefined,
    exports: textOrObject(data.exports),
    imports: textOrObject(data.imports),
    type: data.type === 'module' || data.type === 'commonjs' ? data.type : 'none',
  };
}

function textOrObject(value) {
  return typeof value === 'string' || isPlainObject(value) ? value : undefined;
}

// The fields of one package.json. Throws ERR_INVALID_PACKAGE_CONFIG if it is damaged.
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

module.exports = { invalidConfig, read, scopeOf, typeOf };
