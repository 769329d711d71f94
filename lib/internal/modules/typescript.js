'use strict';
// TypeScript by leaving its types out: each is replaced by spaces, so that all positions stay the same.
// The parser is large, and loaded when the first text with types is.

const {
  ERR_INTERNAL_ASSERTION,
  ERR_INVALID_TYPESCRIPT_SYNTAX,
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING,
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX,
  ERR_WEBASSEMBLY_NOT_SUPPORTED,
} = require('internal/errors').codes;
const compileCache = require('internal/modules/compile_cache_state');
const { emitExperimentalWarning, kEmptyObject } = require('internal/util');
const { validateObject, validateOneOf, validateString } = require('internal/validators');
const { markDecorated } = binding('modules');

let transform;

function explain(error) {
  let result;
  if (error?.code === 'UnsupportedSyntax') {
    result = new ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX(error.message);
  } else if (error?.code === 'InvalidSyntax') {
    result = new ERR_INVALID_TYPESCRIPT_SYNTAX(error.message);
  } else {
    return new ERR_INTERNAL_ASSERTION(error?.message ?? `${error}`);
  }
  result.stack = `${error.filename}:${error.startLine}\n${error.snippet}\n${result.stack}`;
  markDecorated(result);
  return result;
}

function strip(source, name) {
  if (typeof WebAssembly === 'undefined') throw new ERR_WEBASSEMBLY_NOT_SUPPORTED('TypeScript');
  transform ??= require('internal/deps/amaro/dist/index').transformSync;
  let code;
  try {
    ({ code } = transform(source, { mode: 'strip-only', filename: name }));
  } catch (error) {
    throw explain(error);
  }
  return name ? `${code}\n\n//# sourceURL=${name}` : code;
}

// For loading. `url` is what errors and stacks call it, if not by its file.
function stripModuleTypes(source, filename, url = filename) {
  if (filename.includes('/node_modules/')) {
    throw new ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING(filename);
  }
  const { cache } = compileCache;
  if (cache === undefined) return strip(source, url);
  return cache.stripped(source, filename, () => strip(source, url));
}

// module.stripTypeScriptTypes()
function stripTypeScriptTypes(code, options = kEmptyObject) {
  emitExperimentalWarning('stripTypeScriptTypes');
  validateString(code, 'code');
  validateObject(options, 'options');
  const { mode = 'strip', sourceMap = false, sourceUrl = '' } = options;
  validateOneOf(mode, 'options.mode', ['strip']);
  validateString(sourceUrl, 'options.sourceUrl');
  validateOneOf(sourceMap, 'options.sourceMap', [false, undefined]);
  return strip(code, sourceUrl);
}

module.exports = { strip, stripModuleTypes, stripTypeScriptTypes };
