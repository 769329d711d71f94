'use strict';
// Following what happens asynchronously: hooks that are called for every task, resources of one's
// own, and storage that travels along.

const {
  asyncState,
  async_id_symbol,
  trigger_async_id_symbol,
  newAsyncId,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
  getDefaultTriggerAsyncId,
  emitInit,
  emitBefore,
  emitAfter,
  emitDestroy,
  hasContext,
  hookSymbols,
  noPromisesSymbol,
  hasHooks,
  enableHook,
  disableHook,
  keepFrame,
  destroyWhenCollected,
  forgetCollected,
} = require('internal/async_hooks');
const { codes } = require('internal/errors');
const { validateBoolean, validateFunction, validateObject, validateString } = require('internal/validators');
const frames = require('internal/async_context_frame');

// ---- Hooks -----------------------------------------------------------------------------------

class AsyncHook {
  constructor({ init, before, after, destroy, promiseResolve, trackPromises }) {
    const functions = { init, before, after, destroy, promiseResolve };
    for (const name of Object.keys(functions)) {
      const hook = functions[name];
      if (hook !== undefined && typeof hook !== 'function') {
        throw new codes.ERR_ASYNC_CALLBACK(`hook.${name}`);
      }
      this[hookSymbols[name]] = hook;
    }
    if (trackPromises !== undefined) validateBoolean(trackPromises, 'trackPromises');
    if (trackPromises === false && promiseResolve) {
      throw new codes.ERR_INVALID_ARG_VALUE('trackPromises', trackPromises,
        'must not be false when promiseResolve is enabled');
    }
    this[noPromisesSymbol] = trackPromises === false;
  }

  enable() {
    enableHook(this);
    return this;
  }

  disable() {
    disableHook(this);
    return this;
  }
}

function createHook(functions) {
  return new AsyncHook(functions);
}

// ---- Resources -------------------------------------------------------------------------------

const destroyWatched = Symbol('destroyed');

class AsyncResource {
  constructor(type, options = {}) {
    validateString(type, 'type');

    let trigger = options;
    let manualDestroy = false;
    if (typeof options !== 'number') {
      trigger = options.triggerAsyncId === undefined ?
        getDefaultTriggerAsyncId() : options.triggerAsyncId;
      manualDestroy = !!options.requireManualDestroy;
    }
    if (!Number.isSafeInteger(trigger) || trigger < -1) {
      throw new codes.ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
    }

    const asyncId = newAsyncId();
    this[async_id_symbol] = asyncId;
    this[trigger_async_id_symbol] = trigger;
    if (asyncState.framesInUse) keepFrame(this);
    if (!asyncState.observed) return;
    if (hasHooks('init') && type.length === 0) throw new codes.ERR_ASYNC_TYPE(type);
    emitInit(asyncId, type, trigger, this);
    if (!manualDestroy && hasHooks('destroy')) {
      this[destroyWatched] = { destroyed: false };
      destroyWhenCollected(this, asyncId);
    }
  }

  runInAsyncScope(fn, thisArg, ...args) {
    const asyncId = this[async_id_symbol];
    emitBefore(asyncId, this[trigger_async_id_symbol], this, undefined, fn);
    try {
      return Reflect.apply(fn, thisArg, args);
    } finally {
      // The stack may be gone: an exception inside was dealt with as an uncaught one.
      if (hasContext()) emitAfter(asyncId);
    }
  }

  emitDestroy() {
    const watched = this[destroyWatched];
    if (watched !== undefined) {
      watched.destroyed = true;
      forgetCollected(this[async_id_symbol]);
    }
    emitDestroy(this[async_id_symbol]);
    return this;
  }

  asyncId() {
    return this[async_id_symbol];
  }

  triggerAsyncId() {
    return this[trigger_async_id_symbol];
  }

  bind(fn, thisArg) {
    validateFunction(fn, 'fn');
    const resource = this;
    let bound;
    if (thisArg === undefined) {
      bound = function (...args) {
        return resource.runInAsyncScope(fn, this, ...args);
      };
      Object.defineProperty(bound, 'name', { value: 'bound', configurable: true });
    } else {
      bound = this.runInAsyncScope.bind(this, fn, thisArg);
    }
    Object.defineProperty(bound, 'length', {
      __proto__: null, value: fn.length, writable: false, enumerable: false, configurable: true,
    });
    return bound;
  }

  static bind(fn, type, thisArg) {
    type = type || fn.name;
    return new AsyncResource(type || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

// ---- Storage ---------------------------------------------------------------------------------

class AsyncLocalStorage {
  #defaultValue;
  #name = '';

  constructor(options = {}) {
    validateObject(options, 'options');
    this.#defaultValue = options.defaultValue;
    if (options.name !== undefined) this.#name = `${options.name}`;
  }

  get name() {
    return this.#name;
  }

  static bind(fn) {
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((cb, ...args) => cb(...args));
  }

  disable() {
    frames.disable(this);
  }

  enterWith(store) {
    frames.enter(this, store);
  }

  run(store, callback, ...args) {
    const prior = frames.getStore(this, this.#defaultValue);
    if (Object.is(prior, store)) return Reflect.apply(callback, null, args);
    return frames.run(this, store, prior, callback, args);
  }

  exit(callback, ...args) {
    return this.run(undefined, callback, ...args);
  }

  getStore() {
    return frames.getStore(this, this.#defaultValue);
  }

  withScope(store) {
    return new RunScope(this, store);
  }
}

// `using scope = storage.withScope(store)`: the store until the end of the block.
class RunScope {
  #storage;
  #prior;
  #isDisposed = false;

  constructor(storage, store) {
    this.#storage = storage;
    this.#prior = storage.getStore();
    storage.enterWith(store);
  }

  dispose() {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    this.#storage.enterWith(this.#prior);
  }

  [Symbol.dispose]() {
    this.dispose();
  }
}

module.exports = {
  get AsyncLocalStorage() { return AsyncLocalStorage; },
  createHook,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
  asyncWrapProviders: require('internal/native/async_providers'),
  AsyncResource,
};
