'use strict';
// module.findPackageJSON()

const path = require('path');
const { ERR_MISSING_ARGS } = require('internal/errors').codes;
const { resolve } = require('internal/modules/esm/resolve');
const packageJson = require('internal/modules/package_json');
const { findPackageFolder } = require('internal/modules/package_resolve');
const { URL, fileURLToPath, isURL, pathToFileURL } = require('internal/url');
const { validateString } = require('internal/validators');

function toUrl(base) {
  if (isURL(base)) return base;
  validateString(base, 'base');
  return path.isAbsolute(base) ? pathToFileURL(base) : new URL(base);
}

function isBare(specifier) {
  return specifier !== '' && specifier[0] !== '.' && specifier[0] !== '/' &&
    !URL.canParse(specifier);
}

// Also of missing files: a folder is not a module, but has a package.
function locate(specifier, base) {
  try {
    return resolve(specifier, base);
  } catch (error) {
    if (error.code === 'ERR_UNSUPPORTED_DIR_IMPORT') return error.url;
    throw error;
  }
}

function findPackageJSON(specifier, base = 'data:') {
  if (arguments.length === 0) throw new ERR_MISSING_ARGS('specifier');
  try {
    specifier = `${specifier}`;
  } catch {
    validateString(specifier, 'specifier');
  }
  const url = toUrl(base);
  if (isBare(specifier)) {
    return `${findPackageFolder(specifier, fileURLToPath(url))}/package.json`;
  }
  return packageJson.scopeOf(fileURLToPath(locate(specifier, `${url}`))).path;
}

module.exports = { findPackageJSON };
