'use strict';
// ES modules that a program makes and links itself: vm.SourceTextModule and its kin, which are
// there with --experimental-vm-modules only.

const {
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
  ERR_VM_MODULE_ALREADY_LINKED,
  ERR_VM_MODULE_CACHED_DATA_REJECTED,
  ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA,
  ERR_VM_MODULE_DIFFERENT_CONTEXT,
  ERR_VM_MODULE_LINK_FAILURE,
  ERR_VM_MODULE_NOT_MODULE,
  ERR_VM_MODULE_STATUS,
} = require('internal/errors').codes;
const { metaInitializers } = require('internal/modules/esm/hooks');
const { registerImport } = require('internal/modules/esm/import_symbols');
const { isArrayBufferView } = require('internal/util/types');
const { inspect } = require('internal/util/inspect');
const {
  validateBoolean,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/validators');
const native = binding('module_wrap');

const kStatuses = ['unlinked', 'linking', 'linked', 'evaluating', 'evaluated', 'errored'];

const namesInContext = new WeakMap(); // context -> how many modules were named in it
let namesInMain = 0;

function nextName(context) {
  if (context === undefined) return `vm:module(${namesInMain++})`;
  const number = namesInContext.get(context) ?? 0;
  namesInContext.set(context, number + 1);
  return `vm:module(${number})`;
}

let isWarned = false;

function warnOnce() {
  if (isWarned) return;
  isWarned = true;
  process.emitWarning('VM Modules is an experimental feature and might change at any time',
    'ExperimentalWarning');
}

// Of the class's own making: they see its private fields.
let handleOf; // (value, name of the class) -> the handle; throws if value is no module
let isModule;
let linkGraph; // (module, linker): links it, and what it imports, by the user's function
let linkOne;

function linkAll(module, handle, linker) {
  const list = native.requests(handle);
  const promises = [];
  for (let i = 0; i < list.length; i += 3) {
    const attributes = { __proto__: null };
    for (let j = 0; j < (list[i + 1]?.length ?? 0); j += 2) {
      attributes[list[i + 1][j]] = list[i + 1][j + 1];
    }
    promises.push(linkOne(module, linker, list[i], attributes));
  }
  return promises;
}

class Module {
  #handle;
  #identifier;
  #context;
  #linkStatus; // while link() is under way
  #linkError;
  #hasLinkError = false;

  // `compile` makes the handle: (module, identifier, context) -> number
  constructor(options, compile) {
    warnOnce();
    if (new.target === Module) throw new TypeError('Module is not a constructor');
    const { context, identifier } = options;
    if (context !== undefined) {
      validateObject(context, 'options.context');
      if (!require('vm').isContext(context)) {
        throw new ERR_INVALID_ARG_TYPE('options.context', 'vm.Context', context);
      }
    }
    if (identifier !== undefined) validateString(identifier, 'options.identifier');
    this.#context = context;
    this.#identifier = identifier ?? nextName(context);
    this.#handle = compile(this, this.#identifier, context);
  }

  static {
    isModule = (value) => typeof value === 'object' && value !== null && #handle in value;

    handleOf = (value, expected) => {
      if (!isModule(value)) throw new ERR_INVALID_ARG_TYPE('this', expected, value);
      return value.#handle;
    };

    linkOne = async (module, linker, specifier, attributes) => {
      const found = await linker(specifier, module, { attributes, assert: attributes });
      if (!isModule(found)) throw new ERR_VM_MODULE_NOT_MODULE();
      if (found.context !== module.context) throw new ERR_VM_MODULE_DIFFERENT_CONTEXT();
      if (found.status === 'errored') {
        throw new ERR_VM_MODULE_LINK_FAILURE(
          `request for '${specifier}' resolved to an errored module`, found.error);
      }
      if (found.status === 'unlinked') await linkGraph(found, linker);
      return found.#handle;
    };

    linkGraph = async (module, linker) => {
      if (!(module instanceof SourceTextModule)) return;
      module.#linkStatus = 'linking';
      try {
        native.link(module.#handle, await Promise.all(linkAll(module, module.#handle, linker)));
      } catch (error) {
        module.#linkError = error;
        module.#hasLinkError = true;
        throw error;
      } finally {
        module.#linkStatus = undefined;
      }
    };
  }

  get identifier() {
    handleOf(this, 'Module');
    return this.#identifier;
  }

  get context() {
    handleOf(this, 'Module');
    return this.#context;
  }

  get namespace() {
    const handle = handleOf(this, 'Module');
    if (native.getStatus(handle) < native.kInstantiated) {
      throw new ERR_VM_MODULE_STATUS('must not be unlinked or linking');
    }
    return native.getNamespace(handle);
  }

  get status() {
    const handle = handleOf(this, 'Module');
    if (this.#hasLinkError) return 'errored';
    return this.#linkStatus ?? kStatuses[native.getStatus(handle)];
  }

  get error() {
    const handle = handleOf(this, 'Module');
    if (this.#hasLinkError) return this.#linkError;
    if (native.getStatus(handle) !== native.kErrored) {
      throw new ERR_VM_MODULE_STATUS('must be errored');
    }
    return native.getError(handle);
  }

  async link(linker) {
    const handle = handleOf(this, 'Module');
    validateFunction(linker, 'linker');
    if (this.status === 'linked') throw new ERR_VM_MODULE_ALREADY_LINKED();
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    await linkGraph(this, linker);
    native.instantiate(handle);
  }

  async evaluate(options = {}) {
    const handle = handleOf(this, 'Module');
    validateObject(options, 'options');
    let { timeout = -1 } = options;
    const { breakOnSigint = false } = options;
    if (options.timeout === undefined) timeout = -1;
    else validateUint32(timeout, 'options.timeout', true);
    validateBoolean(breakOnSigint, 'options.breakOnSigint');
    const { status } = this;
    if (status !== 'linked' && status !== 'evaluated' && status !== 'errored') {
      throw new ERR_VM_MODULE_STATUS('must be one of linked, evaluated, or errored');
    }
    await native.evaluate(handle, timeout, breakOnSigint);
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    handleOf(this, 'Module');
    const constructor = this.constructor ?? Module;
    if (typeof depth === 'number' && depth < 0) return `[${constructor.name}]`;
    const { status, identifier, context } = this;
    const shown = Object.create(Object.getPrototypeOf(this),
      Object.getOwnPropertyDescriptors({ status, identifier, context }));
    return inspect(shown, { ...options, customInspect: false });
  }
}

class SourceTextModule extends Module {
  #dependencySpecifiers;

  constructor(sourceText, options = {}) {
    validateString(sourceText, 'sourceText');
    validateObject(options, 'options');
    const {
      lineOffset = 0, columnOffset = 0, initializeImportMeta, importModuleDynamically, cachedData,
    } = options;
    validateInt32(lineOffset, 'options.lineOffset');
    validateInt32(columnOffset, 'options.columnOffset');
    if (initializeImportMeta !== undefined) {
      validateFunction(initializeImportMeta, 'options.initializeImportMeta');
    }
    if (importModuleDynamically !== undefined) {
      validateFunction(importModuleDynamically, 'options.importModuleDynamically');
    }
    if (cachedData !== undefined && !isArrayBufferView(cachedData)) {
      throw new ERR_INVALID_ARG_TYPE('options.cachedData', ['Buffer', 'TypedArray', 'DataView'],
        cachedData);
    }
    super(options, (module, identifier, context) => {
      const symbol = registerImport(importModuleDynamically, module);
      const handle = native.compile(sourceText, identifier, symbol, context, lineOffset,
        columnOffset, cachedData);
      if (handle < 0) throw new ERR_VM_MODULE_CACHED_DATA_REJECTED();
      metaInitializers.set(handle, (meta) => initializeImportMeta?.(meta, module));
      return handle;
    });
  }

  get dependencySpecifiers() {
    const handle = handleOf(this, 'SourceTextModule');
    this.#dependencySpecifiers ??=
      native.requests(handle).filter((request, index) => index % 3 === 0);
    return this.#dependencySpecifiers;
  }

  createCachedData() {
    const handle = handleOf(this, 'SourceTextModule');
    if (native.getStatus(handle) >= native.kEvaluating) {
      throw new ERR_VM_MODULE_CANNOT_CREATE_CACHED_DATA();
    }
    const bytes = native.createCachedData(handle);
    return require('buffer').Buffer.from(bytes.buffer);
  }
}

class SyntheticModule extends Module {
  constructor(exportNames, evaluateCallback, options = {}) {
    if (!Array.isArray(exportNames) || exportNames.some((name) => typeof name !== 'string')) {
      throw new ERR_INVALID_ARG_TYPE('exportNames', 'Array of unique strings', exportNames);
    }
    exportNames.forEach((name, index) => {
      if (exportNames.indexOf(name, index + 1) !== -1) {
        throw new ERR_INVALID_ARG_VALUE(`exportNames.${name}`, name, 'is duplicated');
      }
    });
    validateFunction(evaluateCallback, 'evaluateCallback');
    validateObject(options, 'options');
    super(options, (module, identifier, context) => native.createSynthetic(identifier,
      exportNames, () => Reflect.apply(evaluateCallback, module, []), context));
  }

  setExport(name, value) {
    const handle = handleOf(this, 'SyntheticModule');
    validateString(name, 'name');
    if (native.getStatus(handle) < native.kInstantiated) {
      throw new ERR_VM_MODULE_STATUS('must be linked');
    }
    native.setExport(handle, name, value);
  }
}

module.exports = { Module, SourceTextModule, SyntheticModule, isModule };
