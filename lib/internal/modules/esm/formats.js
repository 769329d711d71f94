'use strict';
// What kind of module a URL leads to, whether the attributes of an import fit it, and its source.

const {
  ERR_IMPORT_ATTRIBUTE_MISSING,
  ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE,
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
const { getOptionValue } = require('internal/options');
const { URL, fileURLToPath } = require('internal/url');
const { validateString } = require('internal/validators');

const kDataUrl = /^data:([^/]+\/[^;,]+)(?:[^,]*?)(;base64)?,([\s\S]*)$/;
const kDataType = /^data:([^/]+\/[^;,]+)(?:[^,]*?)(;base64)?,/;
const kJavaScriptType = /^\s*(?:text|application)\/javascript\s*(?:;\s*charset=utf-?8\s*)?$/i;
const kPlainFileUrl = /^file:\/\/[\w\-./@+$]*$/;

function pathOf(url) {
  return kPlainFileUrl.test(url) ? url.slice(7) : fileURLToPath(url);
}

function extensionOf(path) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot) : '';
}

function takesText(attributes) {
  return getOptionValue('--experimental-import-text') === true && typeOf(attributes) === 'text';
}

// ---- Sources ----

function readData(url) {
  const match = kDataUrl.exec(url);
  if (match === null) throw new ERR_INVALID_URL(url);
  const { Buffer } = require('buffer');
  // Bytes, which need not be UTF-8.
  const text = match[3].replace(/%([\da-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(text, match[2] ? 'base64' : 'latin1');
}

// Bytes only where they are not text: for WebAssembly.
function readBytes(url) {
  return url.startsWith('data:') ? readData(url) : require('fs').readFileSync(pathOf(url));
}

function readText(url) {
  if (url.startsWith('data:')) return readData(url).toString();
  if (!url.startsWith('file:')) {
    throw new ERR_UNSUPPORTED_ESM_URL_SCHEME(new URL(url), ['file', 'data']);
  }
  return readSource(pathOf(url));
}

function readFor(url, format) {
  return format === 'wasm' ? readBytes(url) : readText(url);
}

// ---- Formats ----

const warnedPackages = new Set();

function warnOfMissingType(path, url) {
  const { exists, path: packagePath } = packageJson.scopeOf(path);
  if (!exists || path.includes('/node_modules/') || warnedPackages.has(packagePath)) return;
  warnedPackages.add(packagePath);
  process.emitWarning(`Module type of ${url} is not specified and it doesn't parse as CommonJS.\n` +
    'Reparsing as ES module because module syntax was detected. This incurs a performance ' +
    `overhead.\nTo eliminate this warning, add "type": "module" to ${packagePath}.`,
  { code: 'MODULE_TYPELESS_PACKAGE_JSON' });
}

// Without a word from the name or the package, the source decides; undefined without one.
function detect(path, url, source, ending = '') {
  if (!cjsOptions.detectModule) return `commonjs${ending}`;
  if (source === undefined) return undefined;
  const { isESModule } = require('internal/modules/esm/detect');
  const text = ending === '' ? source :
    require('internal/modules/typescript').stripModuleTypes(source, path);
  if (!isESModule(text, path)) return `commonjs${ending}`;
  if (path.endsWith('.js') || ending !== '') warnOfMissingType(path, url);
  return `module${ending}`;
}

function isWebAssembly(path) {
  const { closeSync, openSync, readSync } = require('fs');
  const bytes = new Uint8Array(4);
  const file = openSync(path);
  try {
    readSync(file, bytes, 0, 4, 0);
  } finally {
    closeSync(file);
  }
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

// A file without an ending: what its package says, or what its first bytes say.
function formatWithoutExtension(path, url, source) {
  const type = packageJson.typeOf(path);
  if (type === 'commonjs') return type;
  if (type === 'none' && source === undefined) return undefined;
  if (isWebAssembly(path)) return 'wasm';
  return type === 'module' ? type : detect(path, url, source);
}

const kFormats = {
  '__proto__': null,
  '.cjs': 'commonjs',
  '.json': 'json',
  '.mjs': 'module',
  '.node': 'addon',
  '.wasm': 'wasm',
};

const kTypeScriptFormats = {
  '__proto__': null,
  '.cts': 'commonjs-typescript',
  '.mts': 'module-typescript',
};

// Of a file; undefined if only the source can tell, and it is not given. `tolerant`: undefined, too,
// for an ending that nobody knows.
function formatOfFile(url, source, tolerant = false) {
  const path = pathOf(url);
  const extension = extensionOf(path);
  if (extension === '') return formatWithoutExtension(path, url, source);
  if (extension === '.js' || (extension === '.ts' && cjsOptions.stripTypes)) {
    const ending = extension === '.js' ? '' : '-typescript';
    const type = packageJson.typeOf(path);
    return type === 'none' ? detect(path, url, source, ending) : type + ending;
  }
  if (extension === '.node' && getOptionValue('--experimental-addon-modules') === false) {
    throw new ERR_UNKNOWN_FILE_EXTENSION(extension, path);
  }
  const format = kFormats[extension] ??
    (cjsOptions.stripTypes ? kTypeScriptFormats[extension] : undefined);
  if (format === undefined && !tolerant) throw new ERR_UNKNOWN_FILE_EXTENSION(extension, path);
  return format;
}

function formatOfData(url) {
  const type = kDataType.exec(url)?.[1] ?? null;
  if (kJavaScriptType.test(type)) return 'module';
  if (type === 'application/json') return 'json';
  if (type === 'text/plain' && getOptionValue('--experimental-import-text') === true) return 'text';
  return type === 'application/wasm' ? 'wasm' : null;
}

// What resolving already tells of the format: for hooks.
function hintOf(url, attributes) {
  if (takesText(attributes)) return 'text';
  if (url.startsWith('file:')) return formatOfFile(url, undefined, true) ?? null;
  if (url.startsWith('data:')) return formatOfData(url);
  return url.startsWith('node:') ? 'builtin' : null;
}

// { format, source? } of what a URL leads to. The source is left out where the format is known
// without it and whoever makes the module reads it.
function describe(url, attributes, format = undefined, source = undefined) {
  validateScheme(url);
  if (format == null) {
    if (takesText(attributes)) {
      format = 'text';
    } else if (url.startsWith('file:')) {
      format = formatOfFile(url, source);
      if (format === undefined) {
        source = readText(url);
        format = formatOfFile(url, source);
        if (format === 'wasm') source = undefined; // bytes
      }
    } else if (url.startsWith('data:')) {
      if (!url.includes(',')) throw new ERR_INVALID_URL(url);
      format = formatOfData(url);
    } else {
      format = formatOfOther(url);
    }
  }
  validateType(url, format, attributes);
  if (format === null) throw new ERR_UNKNOWN_MODULE_FORMAT(kDataType.exec(url)?.[1] ?? null, url);
  return { __proto__: null, format, source };
}

function formatOfOther(url) {
  if (/^https?:/.test(url)) {
    throw new ERR_UNSUPPORTED_ESM_URL_SCHEME(new URL(url), ['file', 'data']);
  }
  if (builtinId(url) === undefined) throw new ERR_UNKNOWN_BUILTIN_MODULE(url);
  return 'builtin';
}

function validateScheme(url) {
  if (/^(?:file|data|node|rondo|https?):/.test(url)) return;
  throw new ERR_UNSUPPORTED_ESM_URL_SCHEME(new URL(url), ['file', 'data', 'node']);
}

// ---- Attributes: a flat list of names and values, or undefined ----

function typeOf(attributes) {
  for (let i = 0; i < (attributes?.length ?? 0); i += 2) {
    if (attributes[i] === 'type') return attributes[i + 1];
  }
  return undefined;
}

const kTypes = { '__proto__': null, 'json': 'json', 'text': 'text' };
const kTypeless = { __proto__: null, builtin: true, commonjs: true, module: true, wasm: true };

function validateType(url, format, attributes) {
  for (let i = 0; i < (attributes?.length ?? 0); i += 2) {
    if (attributes[i] !== 'type') {
      throw new ERR_IMPORT_ATTRIBUTE_UNSUPPORTED(attributes[i], attributes[i + 1], url);
    }
  }
  const type = typeOf(attributes);
  const expected = kTypes[format];
  if (type === expected || (expected === undefined && !kTypeless[format])) return;
  if (type === undefined) throw new ERR_IMPORT_ATTRIBUTE_MISSING(url, 'type', expected);
  validateString(type, 'type');
  if (type !== 'json' && !takesText(attributes)) {
    throw new ERR_IMPORT_ATTRIBUTE_UNSUPPORTED('type', type, url);
  }
  throw new ERR_IMPORT_ATTRIBUTE_TYPE_INCOMPATIBLE(url, type);
}

module.exports = { describe, hintOf, pathOf, readFor, typeOf, validateType };
