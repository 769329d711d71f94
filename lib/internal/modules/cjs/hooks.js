'use strict';
// How require() asks the hooks of module.registerHooks(), which know modules by URLs.

const path = require('path');
const { ERR_INVALID_ARG_VALUE, ERR_UNKNOWN_MODULE_FORMAT } = require('internal/errors').codes;
const { builtinId } = require('internal/modules/builtin_ids');
const { Module, readForRequire, kURL, resolveByDefault } = require('internal/modules/cjs/loader');
const { conditions } = require('internal/modules/conditions');
const { loadWithHooks, resolveWithHooks } = require('internal/modules/customization_hooks');
const { pathToUrl } = require('internal/modules/package_resolve');

function toUrl(filename) {
  const id = builtinId(filename);
  if (id !== undefined) return `node:${id}`;
  return path.isAbsolute(filename) ? pathToUrl(filename) : filename;
}

function toFilename(url) {
  const id = builtinId(url);
  if (id !== undefined) return id;
  return url.startsWith('file://') ? require('internal/url').fileURLToPath(url) : url;
}

function urlOfParent(parent) {
  if (!parent) return undefined;
  return parent[kURL] ?? (parent.filename ? toUrl(parent.filename) : undefined);
}

function setOfConditions(names, known) {
  if (names === undefined || names === known) return conditions.require;
  if (!Array.isArray(names)) {
    throw new ERR_INVALID_ARG_VALUE('context.conditions', names, 'expected an array');
  }
  return new Set(names);
}

// -> { filename, url, format }. `isResolve`: for require.resolve(), with its options.
function resolveForRequire(request, parent, isMain, options = undefined, isResolve = false) {
  const known = [...conditions.require];
  const { url, format } = resolveWithHooks(request, urlOfParent(parent), undefined, known,
    (specifier, context) => {
      const settings = {
        __proto__: null,
        paths: options?.paths,
        conditions: setOfConditions(context.conditions, known),
      };
      const found = isResolve ?
        { filename: `${Module._resolveFilename(specifier, parent, isMain, settings)}` } :
        resolveByDefault(specifier, parent, isMain, settings);
      return { __proto__: null, url: found.url ?? toUrl(found.filename), format: found.format };
    });
  return { __proto__: null, filename: toFilename(url), url, format };
}

const kReadable = new Set([undefined, null, 'module', 'commonjs', 'json', 'module-typescript',
  'commonjs-typescript', 'typescript']);

function readByDefault(filename, format) {
  if (format === 'builtin') return null;
  if (!kReadable.has(format)) throw new ERR_UNKNOWN_MODULE_FORMAT(format, toUrl(filename));
  return readForRequire(filename);
}

// -> { source, format }
function loadForRequire(url, filename, format) {
  return loadWithHooks(url, format, undefined, [...conditions.require], (urlOfHook, context) => ({
    source: readByDefault(urlOfHook === url ? filename : toFilename(urlOfHook), context.format),
    format: context.format,
  }), false);
}

module.exports = { loadForRequire, resolveForRequire };
