'use strict';
// --experimental-package-map: a file that says which package each package means by a name, instead
// of folders node_modules.

const path = require('path');
const {
  ERR_PACKAGE_MAP_EXTERNAL_FILE,
  ERR_PACKAGE_MAP_INVALID,
  ERR_PACKAGE_MAP_KEY_NOT_FOUND,
} = require('internal/errors').codes;

// The file of the option, set at each start; then the map, from the first name that is looked for.
const state = { file: undefined, map: undefined };

function invalid(file, reason, cause) {
  const error = new ERR_PACKAGE_MAP_INVALID(file, reason);
  if (cause !== undefined) {
    Object.defineProperty(error, 'cause', {
      __proto__: null, value: cause, writable: true, enumerable: true, configurable: true,
    });
  }
  return error;
}

// The folder of a package's URL.
function folderOf(file, base, key, { url }) {
  const { URL, fileURLToPath } = require('internal/url');
  if (url === undefined) throw invalid(file, `package "${key}" is missing "url" field`);
  if (typeof url !== 'string') {
    throw invalid(file, `package "${key}" has invalid "url" field: expected string, got ${typeof url}`);
  }
  if (url === '') throw invalid(file, `package "${key}" has an empty "url" field`);
  let parsed;
  try {
    parsed = new URL(url, base);
  } catch (error) {
    throw invalid(file, `package "${key}" has invalid url "${url}"`, error);
  }
  if (parsed.protocol !== 'file:') {
    throw invalid(file, `package "${key}" has unsupported URL scheme in url "${url}"; ` +
      'only file: URLs and relative URLs are currently supported');
  }
  try {
    return fileURLToPath(parsed);
  } catch (error) {
    throw invalid(file, `package "${key}" has invalid file url "${url}"`, error);
  }
}

// -> { file, packages: key -> { folder, dependencies }, keys: folder -> key }
function parse(file, data) {
  if (!data.packages || typeof data.packages !== 'object') {
    throw invalid(file, 'missing "packages" object');
  }
  const base = require('internal/url').pathToFileURL(file);
  const packages = new Map();
  const keys = new Map();
  for (const [key, entry] of Object.entries(data.packages)) {
    const folder = folderOf(file, base, key, entry);
    packages.set(key, { folder, dependencies: new Map(Object.entries(entry.dependencies ?? {})) });
    const other = keys.get(folder);
    if (other !== undefined) {
      throw invalid(file, `packages "${other}" and "${key}" have the same url "${entry.url}"; ` +
        'this will be supported in the future');
    }
    keys.set(folder, key);
  }
  return { file, packages, keys };
}

function read(file) {
  const { readFileSync, realpathSync } = require('fs');
  let text;
  try {
    text = readFileSync(file);
  } catch (error) {
    throw invalid(file, 'failed to read', error);
  }
  // Modules are known by their real paths.
  const real = realpathSync(file);
  let data;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw invalid(real, 'invalid JSON', error);
  }
  return parse(real, data);
}

function getMap() {
  if (state.map !== undefined) return state.map;
  require('internal/util').emitExperimentalWarning('Package maps');
  const { file } = state;
  // A file that cannot be used is reported once; then nothing is in any package.
  state.map = { file, packages: new Map(), keys: new Map() };
  state.map = read(path.resolve(file));
  return state.map;
}

function keyOf(keys, file) {
  for (let folder = path.resolve(file); ; folder = path.dirname(folder)) {
    const key = keys.get(folder);
    if (key !== undefined || folder === '/') return key;
  }
}

function splitName(specifier) {
  let end = specifier.indexOf('/');
  if (specifier[0] === '@' && end !== -1) end = specifier.indexOf('/', end + 1);
  return end === -1 ? [specifier, '.'] : [specifier.slice(0, end), `.${specifier.slice(end)}`];
}

// What the file `parentPath` means by a name -> { folder, subpath }; undefined if its package does
// not depend on such a package.
function findMapped(specifier, parentPath) {
  const { file, packages, keys } = getMap();
  const key = keyOf(keys, parentPath);
  if (key === undefined) throw new ERR_PACKAGE_MAP_EXTERNAL_FILE(specifier, parentPath, file);
  const [name, subpath] = splitName(specifier);
  const target = packages.get(key).dependencies.get(name);
  if (target === undefined) return undefined;
  const found = packages.get(target);
  if (found === undefined) throw new ERR_PACKAGE_MAP_KEY_NOT_FOUND(target, file);
  return { folder: found.folder, subpath };
}

module.exports = { findMapped, state };
