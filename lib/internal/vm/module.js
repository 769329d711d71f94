'use strict';
// ES modules that a program makes and links itself: vm.SourceTextModule and similar classes, which are
// there with --experimental-vm-modules only.

const {
  ERR_INVALID_ARG_TYPE,
  ERR_INVALID_ARG_VALUE,
  ERR_INVALID_THIS,
  ERR_MODULE_LINK_MISMATCH,
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
const { inspect } = require('internal/util/inspect');
const {
  validateArray,
  validateBoolean,
  validateBuffer,
  validateFunction,
  validateInt32,
  validateObject,
  validateString,
  validateUint32,
} = require('internal/validators');
const native = binding('module_wrap');

const kPhases = { __proto__: null, [native.kSourcePhase]: 'source', [native.kEvaluationPhase]: 'evaluation' };
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
let handleOf; // (value, name of the class) -> the handle; throws if value is not a module
let isModule;
let linkGraph; // (module, linker): links it, and what it imports, by the user's function
let linkOne;
let linkedHandle; // (value, module) -> the handle of a module that `module` may import

function readRequests(handle) {
  const list = native.requests(handle);
  const requests = [];
  for (let i = 0; i < list.length; i += 3) {
    const attributes = { __proto__: null };
    for (let j = 0; j < (list[i + 1]?.length ?? 0); j += 2) {
      attributes[list[i + 1][j]] = list[i + 1][j + 1];
    }
    requests.push(Object.freeze({
      __proto__: null,
      specifier: list[i],
      attributes: Object.freeze(attributes),
      phase: kPhases[list[i + 2]],
    }));
  }
  return Object.freeze(requests);
}

// The same specifier with the same attributes leads to the same module, in whichever phase.
function checkLinks(requests, handles) {
  const first = new Map();
  requests.forEach(({ specifier, attributes }, i) => {
    const pairs = Object.entries(attributes).map(([name, value]) => `${name}: ${value}`).sort();
    const key = `"${specifier}"${pairs.length > 0 ? `, {${pairs.join(', ')}}` : ''}`;
    const index = first.get(key);
    if (index === undefined) {
      first.set(key, i);
    } else if (handles[index] !== handles[i]) {
      throw new ERR_MODULE_LINK_MISMATCH(`Module request 'ModuleCacheKey(${key})' at index ${i} must ` +
        `be linked to the same module requested at index ${index}`);
    }
  });
}

class Module {
  #handle;
  #identifier;
  #context;
  #linkStatus; // while link() is in progress
  #linkError;
  #hasLinkError = false;

  // `compile` makes the handle: (module, identifier, context) -> number
  constructor(options, compile) {
    warnOnce();
    if (new.target === Module) throw new TypeError('Module is not a constructor');
    const { context, identifier } = options;
    if (context !== undefined) {
      validateObject(context, 'context');
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
      if (!isModule(value)) throw new ERR_INVALID_THIS(expected);
      return value.#handle;
    };

    linkedHandle = (found, module) => {
      if (!isModule(found)) throw new ERR_VM_MODULE_NOT_MODULE();
      if (found.context !== module.context) throw new ERR_VM_MODULE_DIFFERENT_CONTEXT();
      return found.#handle;
    };

    linkOne = async (module, linker, specifier, attributes) => {
      const found = await linker(specifier, module, { attributes, assert: attributes });
      const handle = linkedHandle(found, module);
      if (found.status === 'errored') {
        throw new ERR_VM_MODULE_LINK_FAILURE(
          `request for '${specifier}' resolved to an errored module`, found.error);
      }
      if (found.status === 'unlinked') await linkGraph(found, linker);
      return handle;
    };

    linkGraph = async (module, linker) => {
      if (!(module instanceof SourceTextModule)) return;
      module.#linkStatus = 'linking';
      try {
        const promises = module.moduleRequests.map(({ specifier, attributes }) =>
          linkOne(module, linker, specifier, attributes));
        const handles = await Promise.all(promises);
        checkLinks(module.moduleRequests, handles);
        native.link(module.#handle, handles);
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

  // The promise is V8's own: it is settled at once where nothing is awaited.
  evaluate(options = {}) {
    try {
      const handle = handleOf(this, 'Module');
      validateObject(options, 'options');
      const { timeout = -1, breakOnSigint = false } = options;
      if (options.timeout !== undefined) validateUint32(timeout, 'options.timeout', true);
      validateBoolean(breakOnSigint, 'options.breakOnSigint');
      const status = native.getStatus(handle);
      if (status !== native.kInstantiated && status !== native.kEvaluated &&
          status !== native.kErrored) {
        throw new ERR_VM_MODULE_STATUS('must be one of linked, evaluated, or errored');
      }
      return native.evaluate(handle, timeout, breakOnSigint);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  [Symbol.for('nodejs.util.inspect.custom')](depth, options) {
    handleOf(this, 'Module');
    const constructor = this.constructor ?? Module;
    if (typeof depth === 'number' && depth < 0) return `[${constructor.name}]`;
    const { status, identifier, context } = this;
    const shown = Object.create(Object.getPrototypeOf(this),
      Object.getOwnPropertyDescriptors({ status, identifier, context }));
    Object.defineProperty(shown, Symbol.toStringTag, {
      __proto__: null, value: constructor.name, configurable: true,
    });
    return inspect(shown, { ...options, customInspect: false });
  }
}

class SourceTextModule extends Module {
  #moduleRequests;
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
    if (cachedData !== undefined) validateBuffer(cachedData, 'options.cachedData');
    super(options, (module, identifier, context) => {
      const symbol = registerImport(importModuleDynamically, module);
      const handle = native.compile(sourceText, identifier, symbol, context, lineOffset,
        columnOffset, cachedData);
      if (handle === undefined) throw new ERR_VM_MODULE_CACHED_DATA_REJECTED();
      metaInitializers.set(handle, (meta) => initializeImportMeta?.(meta, module));
      return handle;
    });
    this.#moduleRequests = readRequests(handleOf(this, 'SourceTextModule'));
  }

  linkRequests(modules) {
    const handle = handleOf(this, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    validateArray(modules, 'modules');
    const expected = this.#moduleRequests.length;
    if (modules.length !== expected) {
      throw new ERR_MODULE_LINK_MISMATCH(`Expected ${expected} modules, got ${modules.length}`);
    }
    const handles = modules.map((module) => linkedHandle(module, this));
    checkLinks(this.#moduleRequests, handles);
    native.link(handle, handles);
  }

  instantiate() {
    const handle = handleOf(this, 'SourceTextModule');
    if (this.status !== 'unlinked') throw new ERR_VM_MODULE_STATUS('must be unlinked');
    if (!native.isLinked(handle)) throw new ERR_VM_MODULE_LINK_FAILURE('module is not linked');
    native.instantiate(handle);
  }

  get dependencySpecifiers() {
    handleOf(this, 'SourceTextModule');
    this.#dependencySpecifiers ??=
      Object.freeze(this.#moduleRequests.map(({ specifier }) => specifier));
    return this.#dependencySpecifiers;
  }

  get moduleRequests() {
    handleOf(this, 'SourceTextModule');
    return this.#moduleRequests;
  }

  hasAsyncGraph() {
    const handle = handleOf(this, 'SourceTextModule');
    if (native.getStatus(handle) < native.kInstantiated) {
      throw new ERR_VM_MODULE_STATUS('must be instantiated');
    }
    return native.isGraphAsync(handle);
  }

  hasTopLevelAwait() {
    return native.hasTopLevelAwait(handleOf(this, 'SourceTextModule'));
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
    // It imports nothing.
    native.instantiate(handleOf(this, 'SyntheticModule'));
  }

  link() {
    handleOf(this, 'SyntheticModule');
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
