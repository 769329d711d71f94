'use strict';
// How import finds a module: from a specifier and the URL of the importer to a URL. URLs are texts
// here; only what is out of the ordinary goes through the class URL.

const path = require('path');
const {
  ERR_INPUT_TYPE_NOT_ALLOWED,
  ERR_INVALID_MODULE_SPECIFIER,
  ERR_MODULE_NOT_FOUND,
  ERR_UNSUPPORTED_DIR_IMPORT,
  ERR_UNSUPPORTED_RESOLVE_REQUEST,
} = require('internal/errors').codes;
const { publicIds } = require('internal/modules/builtin_ids');
const { conditions: defaults } = require('internal/modules/conditions');
const { getStat, options, toRealPath } = require('internal/modules/files');
const { pathToUrl, resolveImports, resolvePackage } = require('internal/modules/package_resolve');
const { getOptionValue } = require('internal/options');
const { URL, fileURLToPath } = require('internal/url');
const { state: watchReports } = require('internal/watch_mode/report_state');

const kEncodedSeparator = /%2F|%5C/i;
// "./a/b.mjs", "../../a.js": no segments but those at the beginning need care.
const kPlainRelative = /^\.{1,2}\/(?:\.\.\/)*(?:[\w\-@+$]+[\w\-@+$.]*\/)*[\w\-@+$]+[\w\-@+$.]*$/;
const kPlainFileUrl = /^file:\/\/[\w\-./@+$]*$/;

function parseUrl(text, base) {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

// The error for a base that is not a directory.
function unsupported(specifier, base) {
  const error = new ERR_UNSUPPORTED_RESOLVE_REQUEST(specifier, base);
  try {
    new URL(specifier, isRelativeOrAbsolute(specifier) ? base : undefined);
  } catch (cause) {
    error.cause = cause;
  }
  return error;
}

function isRelativeOrAbsolute(specifier) {
  if (specifier === '') return false;
  if (specifier[0] === '/') return true;
  if (specifier[0] !== '.') return false;
  return specifier.length === 1 || specifier[1] === '/' ||
    (specifier[1] === '.' && (specifier.length === 2 || specifier[2] === '/'));
}

// The path of a plain relative specifier in a plain file: URL.
function joinPlain(specifier, base) {
  let folder = base.slice(7, base.lastIndexOf('/'));
  let rest = specifier.startsWith('./') ? specifier.slice(2) : specifier;
  while (rest.startsWith('../')) {
    folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
    rest = rest.slice(3);
  }
  return `${folder}/${rest}`;
}

function shownBase(base) {
  if (base === undefined) return `${process.cwd()}/`; // the main program
  return base?.startsWith('file:') ? fileURLToPath(base) : base;
}

// The real file that a URL leads to. `end` is its query and fragment.
function finalize(file, url, end, base) {
  const kind = getStat()(file.endsWith('/') ? file.slice(0, -1) : file);
  if (kind === 1 || kind === 3) {
    throw new ERR_UNSUPPORTED_DIR_IMPORT(file, shownBase(base), url);
  }
  if ((kind !== 0 && kind !== 2) || file.endsWith('/')) {
    if (watchReports.isActive) require('internal/watch_mode/report').reportRequired(file);
    throw new ERR_MODULE_NOT_FOUND(
      file, shownBase(base), url);
  }
  if (base === undefined ? options.preserveSymlinksMain : options.preserveSymlinks) return url;
  return pathToUrl(toRealPath(file, kind)) + end;
}

function finalizeUrl(url, base) {
  if (kEncodedSeparator.test(url.pathname)) {
    throw new ERR_INVALID_MODULE_SPECIFIER(url.pathname,
      'must not include encoded "/" or "\\" characters', shownBase(base));
  }
  let file;
  try {
    file = fileURLToPath(url);
  } catch (error) {
    error.input = url.href;
    error.module = `${base}`;
    throw error;
  }
  return finalize(file, url.href, url.search + url.hash, base);
}

// A location as text or as URL object; other schemes than file: need no more care.
function locate(specifier, base, conditions) {
  const isRemote = base?.startsWith('data:') || base?.startsWith('node:');
  if (isRelativeOrAbsolute(specifier)) {
    const url = parseUrl(specifier, base);
    if (url === undefined) throw unsupported(specifier, base);
    return url;
  }
  if (!isRemote && specifier[0] === '#') {
    return new URL(resolveImports(specifier, fileURLToPath(base), conditions));
  }
  const url = parseUrl(specifier);
  if (url !== undefined) return url;
  if (!isRemote) return new URL(resolvePackage(specifier, fileURLToPath(base), conditions));
  if (publicIds.has(specifier)) return new URL(`node:${specifier}`);
  throw unsupported(specifier, base);
}

// What require() would have found: the name that import wants to have written out.
function findForRequire(specifier, base) {
  const { Module } = require('internal/modules/cjs/loader');
  const parent = fileURLToPath(base);
  const module = new Module(parent, null);
  module.paths = Module._nodeModulePaths(path.dirname(parent));
  if (specifier[0] !== '#') module.filename = parent;
  const found = Module._resolveFilename(specifier, module, false);
  if (isRelativeOrAbsolute(specifier) && specifier[0] === '.') {
    // As parts of URLs.
    const relative = path.relative(base.slice('file://'.length, base.lastIndexOf('/')),
      new URL(pathToUrl(found)).pathname);
    return relative.startsWith('../') ? relative : `./${relative}`;
  }
  if (specifier[0] === '/') return found;
  const slash = specifier.indexOf('/');
  const name = slash === -1 ? specifier : specifier.slice(0, slash);
  const folder = `/node_modules/${name}/`;
  const index = found.lastIndexOf(folder);
  if (index === -1) return pathToUrl(found);
  const rest = found.slice(index + folder.length).split('/').map(encodeURIComponent);
  return `${name}/${rest.join('/')}`;
}

function addHint(error, specifier, base) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' && error.code !== 'ERR_UNSUPPORTED_DIR_IMPORT') return;
  let found;
  try {
    found = findForRequire(specifier.startsWith('file://') ? fileURLToPath(specifier) : specifier,
      base);
  } catch {
    return;
  }
  if (found === specifier) return;
  const hint = `\nDid you mean to import ${JSON.stringify(found)}?`;
  const { stack } = error;
  const end = stack.indexOf('\n');
  error.stack = stack.slice(0, end) + hint + stack.slice(end);
  error.message += hint;
}

// `base` is the URL of the module that asks; undefined for the main program.
function resolve(specifier, base, conditions = defaults.import) {
  try {
    return resolveExactly(specifier, base, conditions);
  } catch (error) {
    addHint(error, specifier, base);
    throw error;
  }
}

function resolveExactly(specifier, base, conditions) {
  if (base !== undefined && kPlainRelative.test(specifier) && kPlainFileUrl.test(base)) {
    const file = joinPlain(specifier, base);
    return finalize(file, `file://${file}`, '', base);
  }
  if (publicIds.has(specifier)) return `node:${specifier}`;
  if (base === undefined && !specifier.startsWith('data:') && getOptionValue('--input-type')) {
    throw new ERR_INPUT_TYPE_NOT_ALLOWED();
  }
  const url = locate(specifier, base, conditions);
  return url.protocol === 'file:' ? finalizeUrl(url, base) : url.href;
}

module.exports = { resolve };
