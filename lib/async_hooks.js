'use strict';
// Following what happens asynchronously: hooks that are told of every task, resources of one's
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
  hasHooks,
  enableHook,
  disableHook,
  enableStorage,
  disableStorage,
  destroyWhenCollected,
  forgetCollected,
} = require('internal/async_hooks');
const { codes } = require('internal/errors');
const { validateFunction, validateString } = require('internal/validators');

// ---- Hooks -----------------------------------------------------------------------------------

class AsyncHook {
  constructor({ init, before, after, destroy, promiseResolve }) {
    const functions = { init, before, after, destroy, promiseResolve };
    for (const name of Object.keys(functions)) {
      const hook = functions[name];
      if (hook !== undefined && typeof hook !== 'function') {
        throw new codes.ERR_ASYNC_CALLBACK(`hook.${name}`);
      }
      this[hookSymbols[name]] = hook;
    }
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
    const { deprecate } = require('internal/util/deprecate');
    const message = 'The asyncResource property on bound functions is deprecated';
    let value = this;
    Object.defineProperties(bound, {
      length: { value: fn.length, writable: false, enumerable: false, configurable: true },
      asyncResource: {
        enumerable: true,
        configurable: true,
        get: deprecate(() => value, message, 'DEP0172'),
        set: deprecate((other) => { value = other; }, message, 'DEP0172'),
      },
    });
    return bound;
  }

  static bind(fn, type, thisArg) {
    type = type || fn.name;
    return new AsyncResource(type || 'bound-anonymous-fn').bind(fn, thisArg);
  }
}

// ---- Storage ---------------------------------------------------------------------------------

// The store is a property of the resource that runs. A resource that is made gets that of the
// one that runs, as long as the storage is enabled.
class AsyncLocalStorage {
  constructor() {
    this.kResourceStore = Symbol('kResourceStore');
    this.enabled = false;
  }

  static bind(fn) {
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((cb, ...args) => cb(...args));
  }

  disable() {
    if (!this.enabled) return;
    this.enabled = false;
    disableStorage(this);
  }

  _enable() {
    if (this.enabled) return;
    this.enabled = true;
    enableStorage(this);
  }

  _propagate(resource, triggerResource, type) {
    if (this.enabled) resource[this.kResourceStore] = triggerResource[this.kResourceStore];
  }

  enterWith(store) {
    this._enable();
    executionAsyncResource()[this.kResourceStore] = store;
  }

  run(store, callback, ...args) {
    if (Object.is(store, this.getStore())) return Reflect.apply(callback, null, args);
    this._enable();
    const resource = executionAsyncResource();
    const outer = resource[this.kResourceStore];
    resource[this.kResourceStore] = store;
    try {
      return Reflect.apply(callback, null, args);
    } finally {
      resource[this.kResourceStore] = outer;
    }
  }

  exit(callback, ...args) {
    if (!this.enabled) return Reflect.apply(callback, null, args);
    this.disable();
    try {
      return Reflect.apply(callback, null, args);
    } finally {
      this._enable();
    }
  }

  getStore() {
    if (this.enabled) return executionAsyncResource()[this.kResourceStore];
  }
}

module.exports = {
  AsyncLocalStorage,
  createHook,
  executionAsyncId,
  triggerAsyncId,
  executionAsyncResource,
  asyncWrapProviders: require('internal/async_providers'),
  AsyncResource,
};
