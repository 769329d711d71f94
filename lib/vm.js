'use strict';
// Scripts, and contexts for them to run in.

const { ERR_CONTEXT_NOT_INITIALIZED, ERR_INVALID_ARG_TYPE } = require('internal/errors').codes;
const { callPaused, firstLine, kIsProgram } = require('internal/inspector/first_line');
const { kDefaultLoader, kImportsNeedFlag, kNoImports, registerImport, setReferrer } =
  require('internal/modules/esm/import_symbols');
const { getOptionValue } = require('internal/options');
const { isArrayBufferView } = require('internal/util/types');
const {
  kValidateObjectAllowNullable,
  kValidateObjectAllowArray,
  validateArray,
  validateBoolean,
  validateBuffer,
  validateFunction,
  validateInt32,
  validateObject,
  validateOneOf,
  validateString,
  validateStringArray,
  validateUint32,
} = require('internal/validators');
const native = binding('contextify');

// The context that a script will run in, whose errors it is to throw when it does not compile.
const kParsingContext = Symbol('script parsing context');

const constants = Object.freeze({
  __proto__: null,
  USE_MAIN_CONTEXT_DEFAULT_LOADER: Symbol('vm_dynamic_import_main_context_default'),
  DONT_CONTEXTIFY: Symbol('vm_context_no_contextify'),
});

const warned = new Set();

function warnExperimental(feature) {
  if (warned.has(feature)) return;
  warned.add(feature);
  process.emitWarning(`${feature} is an experimental feature and might change at any time`,
    'ExperimentalWarning');
}

// What V8 keeps with the code, to know what import() does in it.
function importSymbol(importModuleDynamically) {
  if (importModuleDynamically === undefined) return kNoImports;
  if (importModuleDynamically === kDefaultLoader) return undefined;
  if (importModuleDynamically === constants.USE_MAIN_CONTEXT_DEFAULT_LOADER) {
    warnExperimental('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER');
    return undefined;
  }
  validateFunction(importModuleDynamically, 'options.importModuleDynamically');
  if (!getOptionValue('--experimental-vm-modules')) return kImportsNeedFlag;
  return registerImport(importModuleDynamically, undefined);
}

function toBuffer(bytes) {
  const { Buffer } = require('buffer');
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isContext(object) {
  validateObject(object, 'object', kValidateObjectAllowArray);
  return native.isContext(object);
}

function validateContext(contextifiedObject) {
  if (!isContext(contextifiedObject)) {
    throw new ERR_INVALID_ARG_TYPE('contextifiedObject', 'vm.Context', contextifiedObject);
  }
}

function runArguments(handle, contextifiedObject, options = {}) {
  validateObject(options, 'options');
  let { timeout } = options;
  if (timeout === undefined) timeout = -1;
  else validateUint32(timeout, 'options.timeout', true);
  const { displayErrors = true, breakOnSigint = false } = options;
  validateBoolean(displayErrors, 'options.displayErrors');
  validateBoolean(breakOnSigint, 'options.breakOnSigint');
  return [handle, contextifiedObject, timeout, displayErrors, breakOnSigint];
}

let handleOf; // (script)

// The part of a script that is V8's. Its functions are C++ in Node, and do not show in a stack: what
// calls C++ here is in the functions of Script.
class ContextifyScript {
  static { handleOf = (script) => script.#handle; }

  #handle;

  // `compiled` is what compileScript() returned.
  constructor(compiled, produceCachedData) {
    const { 0: handle, 1: sourceMapURL, 2: rejected, 3: sourceURL } = compiled;
    this.#handle = handle;
    if (rejected !== undefined) this.cachedDataRejected = rejected;
    if (produceCachedData) {
      this.cachedData = this.createCachedData();
      this.cachedDataProduced = true;
    }
    this.sourceURL = sourceURL;
    this.sourceMapURL = sourceMapURL;
  }

  createCachedData() {
    return toBuffer(native.createCachedData(this.#handle));
  }

  runInContext(contextifiedObject, options) {
    return Reflect.apply(native.runScript, native,
      runArguments(this.#handle, contextifiedObject, options));
  }
}

// Functions of C++ can be listed.
for (const name of ['createCachedData', 'runInContext']) {
  Object.defineProperty(ContextifyScript.prototype, name, { __proto__: null, enumerable: true });
  Object.defineProperty(ContextifyScript.prototype[name], 'length', { __proto__: null, value: 0, configurable: true });
}

class Script extends ContextifyScript {
  constructor(code, options = {}) {
    code = `${code}`;
    if (typeof options === 'string') options = { filename: options };
    else validateObject(options, 'options');
    const {
      filename = 'evalmachine.<anonymous>',
      lineOffset = 0,
      columnOffset = 0,
      cachedData,
      produceCachedData = false,
      importModuleDynamically,
      [kParsingContext]: parsingContext,
    } = options;
    validateString(filename, 'options.filename');
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (cachedData !== undefined && !isArrayBufferView(cachedData)) {
      throw new ERR_INVALID_ARG_TYPE('options.cachedData', ['Buffer', 'TypedArray', 'DataView'],
        cachedData);
    }
    validateBoolean(produceCachedData, 'options.produceCachedData');
    const symbol = importSymbol(importModuleDynamically);
    super(native.compileScript(code, filename, lineOffset, columnOffset, symbol, cachedData,
      parsingContext), produceCachedData);
    setReferrer(symbol, this);
  }

  runInThisContext(options) {
    if (firstLine.isWanted && options?.[kIsProgram]) {
      return callPaused(native.runScript, native, runArguments(handleOf(this), null, options));
    }
    return Reflect.apply(native.runScript, native, runArguments(handleOf(this), null, options));
  }

  runInContext(contextifiedObject, options) {
    validateContext(contextifiedObject);
    return Reflect.apply(native.runScript, native,
      runArguments(handleOf(this), contextifiedObject, options));
  }

  runInNewContext(contextObject, options) {
    const context = createContext(contextObject, getContextOptions(options));
    return this.runInContext(context, options);
  }
}

// ---- Contexts ----

// The options for a context among those of runInNewContext().
function getContextOptions(options) {
  if (!options) return {};
  const { contextName, contextOrigin, contextCodeGeneration, microtaskMode } = options;
  const contextOptions = {};
  if (contextName !== undefined) {
    validateString(contextName, 'options.contextName');
    contextOptions.name = contextName;
  }
  if (contextOrigin !== undefined) {
    validateString(contextOrigin, 'options.contextOrigin');
    contextOptions.origin = contextOrigin;
  }
  if (contextCodeGeneration !== undefined) {
    validateObject(contextCodeGeneration, 'options.contextCodeGeneration');
    const { strings, wasm } = contextCodeGeneration;
    if (strings !== undefined) {
      validateBoolean(strings, 'options.contextCodeGeneration.strings');
    }
    if (wasm !== undefined) validateBoolean(wasm, 'options.contextCodeGeneration.wasm');
    contextOptions.codeGeneration = { strings, wasm };
  }
  if (microtaskMode !== undefined) {
    validateString(microtaskMode, 'options.microtaskMode');
    contextOptions.microtaskMode = microtaskMode;
  }
  return contextOptions;
}

let lastName = 0; // of a context without a name of its own

function createContext(contextObject = {}, options = {}) {
  const isPlain = contextObject === constants.DONT_CONTEXTIFY;
  if (!isPlain && isContext(contextObject)) return contextObject;

  validateObject(options, 'options');
  const {
    name = `VM Context ${++lastName}`, origin, codeGeneration, microtaskMode, importModuleDynamically,
  } = options;
  validateString(name, 'options.name');
  if (origin !== undefined) validateString(origin, 'options.origin');
  if (codeGeneration !== undefined) validateObject(codeGeneration, 'options.codeGeneration');
  const { strings = true, wasm = true } = codeGeneration ?? {};
  validateBoolean(strings, 'options.codeGeneration.strings');
  validateBoolean(wasm, 'options.codeGeneration.wasm');
  validateOneOf(microtaskMode, 'options.microtaskMode', ['afterEvaluate', undefined]);

  const symbol = importSymbol(importModuleDynamically) ?? kDefaultLoader;
  const global = native.makeContext(isPlain ? undefined : contextObject, strings, wasm,
    microtaskMode === 'afterEvaluate', symbol, name, origin ?? '');
  const context = isPlain ? global : contextObject;
  setReferrer(symbol, context);
  const mode = getOptionValue('--disable-proto');
  // The program may have given a global `Object` of its own.
  if (mode !== undefined) {
    require('internal/process/disable_proto')(Reflect.getPrototypeOf(runInContext('({})', context)), mode);
  }
  return context;
}

// ---- At once ----

function createScript(code, options) {
  return new Script(code, options);
}

function runInContext(code, contextifiedObject, options) {
  validateContext(contextifiedObject);
  options = typeof options === 'string' ?
    { filename: options, [kParsingContext]: contextifiedObject } :
    { ...options, [kParsingContext]: contextifiedObject };
  return createScript(code, options).runInContext(contextifiedObject, options);
}

function runInNewContext(code, contextObject, options) {
  if (typeof options === 'string') options = { filename: options };
  const context = createContext(contextObject, getContextOptions(options));
  options = { ...options, [kParsingContext]: context };
  return createScript(code, options).runInContext(context, options);
}

function runInThisContext(code, options) {
  if (typeof options === 'string') options = { filename: options };
  return createScript(code, options).runInThisContext(options);
}

function compileFunction(code, params, options = {}) {
  validateString(code, 'code');
  validateObject(options, 'options');
  if (params !== undefined) validateStringArray(params, 'params');
  const {
    filename = '',
    columnOffset = 0,
    lineOffset = 0,
    cachedData = undefined,
    produceCachedData = false,
    parsingContext = undefined,
    contextExtensions = [],
    importModuleDynamically,
  } = options;
  validateString(filename, 'options.filename');
  validateInt32(columnOffset, 'options.columnOffset');
  validateInt32(lineOffset, 'options.lineOffset');
  if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
  validateBoolean(produceCachedData, 'options.produceCachedData');
  if (parsingContext !== undefined &&
      (typeof parsingContext !== 'object' || parsingContext === null ||
       !isContext(parsingContext))) {
    throw new ERR_INVALID_ARG_TYPE('options.parsingContext', 'Context', parsingContext);
  }
  validateArray(contextExtensions, 'options.contextExtensions');
  contextExtensions.forEach((extension, i) => {
    validateObject(extension, `options.contextExtensions[${i}]`, kValidateObjectAllowNullable);
  });

  const symbol = importSymbol(importModuleDynamically);
  const { 0: compiled, 1: rejected, 2: produced } = native.compileFunction(code, filename, lineOffset,
    columnOffset, symbol, cachedData, parsingContext, params,
    contextExtensions.filter((extension) => extension !== null), produceCachedData);
  setReferrer(symbol, compiled);
  if (produceCachedData) {
    compiled.cachedDataProduced = produced !== undefined;
    if (produced !== undefined) compiled.cachedData = toBuffer(produced);
  }
  if (rejected !== undefined) compiled.cachedDataRejected = rejected;
  return compiled;
}

function measureMemory(options = {}) {
  warnExperimental('vm.measureMemory');
  validateObject(options, 'options');
  const { mode = 'summary', execution = 'default' } = options;
  validateOneOf(mode, 'options.mode', ['summary', 'detailed']);
  validateOneOf(execution, 'options.execution', ['default', 'eager']);
  const result = native.measureMemory(mode === 'detailed', execution === 'eager');
  return result ?? Promise.reject(new ERR_CONTEXT_NOT_INITIALIZED());
}

module.exports = {
  Script,
  createContext,
  createScript,
  runInContext,
  runInNewContext,
  runInThisContext,
  isContext,
  compileFunction,
  measureMemory,
  constants,
};
