'use strict';
// What kind of module a URL leads to, whether the attributes of an import fit it, and its source.

const {
  ERR_IMPORT_ASSERTION_TYPE_FAILED,
  ERR_IMPORT_ASSERTION_TYPE_MISSING,
  ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED,
  ERR_IMPORT_ATTRIBUTE_UNSUPPORTED,
  ERR_INVALID_URL,
  ERR_UNKNOWN_BUILTIN_MODULE,
  ERR_UNKNOWN_FILE_EXTENSION,
  ERR_UNKNOWN_MODULE_FORMAT,
  ERR_UNSUPPORTED_ESM_URL_SCHEME,
} = require('internal/errors').codes;
const { builtinId } = require('internal/modules/builtin_ids');
const { options: cjsOptions, readSource } = require('internal/modules/cjs/loader');
const packageJson = require('internal/modules/package_json');
const { URL, fileURLToPath } = require('internal/url');

const kDataUrl = /^data:([^/]+\/[^;,]+)(?:[^,]*?)(;base64)?,([\s\S]*)$/;
const kMimeFormats = {
  '__proto__': null,
  'application/json': 'json',
  'text/javascript': 'module',
};
const kPlainFileUrl = /^file:\/\/[\w\-./@+$]*$/;

function pathOf(url) {
  return kPlainFileUrl.test(url) ? url.slice(7) : fileURLToPath(url);
}

function extensionOf(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

function readData(url) {
  const match = kDataUrl.exec(url);
  if (match === null) throw new ERR_INVALID_URL(url);
  const [, type, base64, body] = match;
  const format = kMimeFormats[type];
  if (format === undefined) throw new ERR_UNKNOWN_MODULE_FORMAT(type, url);
  const { Buffer } = require('buffer');
  const text = decodeURIComponent(body);
  return { format, source: base64 ? Buffer.from(text, 'base64').toString() : text };
}

function typeOf(path) {
  try {
    return packageJson.typeOf(path);
  } catch (error) {
    const { ERR_INVALID_PACKAGE_CONFIG } = require('internal/errors').codes;
    throw new ERR_INVALID_PACKAGE_CONFIG(error.packageJsonPath, path, error.message);
  }
}

// Without a word from the name or the package, the source decides.
function detect(source, path) {
  const { isESModule } = require('internal/modules/esm/detect');
  return cjsOptions.detectModule && isESModule(source, path) ? 'module' : 'commonjs';
}

// { format, source?, path? } of a file; the source only if it was needed.
function readFile(url, knownSource) {
  const path = pathOf(url);
  const extension = extensionOf(path);
  switch (extension) {
    case '.mjs': return { format: 'module', source: knownSource, path };
    case '.cjs': return { format: 'commonjs', source: knownSource, path };
    case '.json': return { format: 'json', source: knownSource, path };
    case '.js': case '': {
      const type = typeOf(path);
      if (type === 'module') return { format: 'module', source: knownSource, path };
      if (type === 'commonjs' && extension === '.js') {
        return { format: 'commonjs', source: knownSource, path };
      }
      const source = knownSource ?? readSource(path);
      return { format: detect(source, path), source, path };
    }
    default: throw new ERR_UNKNOWN_FILE_EXTENSION(extension, path);
  }
}

// Whether the source of a file is needed to import it: a CommonJS module reads its own when it
// is run.
function needsSource(url) {
  const path = pathOf(url);
  const extension = extensionOf(path);
  return extension !== '.cjs' && (extension !== '.js' || typeOf(path) !== 'commonjs');
}

// { format, source?, path?, id? } of what a URL leads to.
function describe(url, knownSource) {
  if (url.startsWith('file:')) return readFile(url, knownSource);
  if (url.startsWith('data:')) return readData(url);
  const id = builtinId(url);
  if (id === undefined) throw new ERR_UNKNOWN_BUILTIN_MODULE(url);
  return { format: 'builtin', id };
}

function validateScheme(url) {
  if (/^(?:file|data|node|rondo):/.test(url)) return;
  throw new ERR_UNSUPPORTED_ESM_URL_SCHEME(new URL(url), ['file', 'data', 'node']);
}

// `attributes` is a flat list of names and values, or undefined. Returns the one there may be.
function typeAttribute(attributes) {
  let type;
  for (let i = 0; i < (attributes?.length ?? 0); i += 2) {
    if (attributes[i] !== 'type') {
      throw new ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(attributes[i], attributes[i + 1]);
    }
    type = attributes[i + 1];
  }
  return type;
}

function validateType(url, format, type) {
  const expected = format === 'json' ? 'json' : undefined;
  if (type === expected) return;
  if (type === undefined) throw new ERR_IMPORT_ASSERTION_TYPE_MISSING(url, expected);
  if (type !== 'json') throw new ERR_IMPORT_ASSERTION_TYPE_UNSUPPORTED(type);
  throw new ERR_IMPORT_ASSERTION_TYPE_FAILED(url, type);
}

module.exports = { describe, needsSource, pathOf, typeAttribute, validateScheme, validateType };
