'use strict';
// Storage; sessionStorage, which is in memory; and localStorage, which needs a file, and is undefined without one.
//
// A storage is a proxy: its items are its properties. Node keeps them in a table of SQLite, which is why they come
// sorted, by the bytes of their UTF-16 names.

const { getOptionValue } = require('internal/options');

const kMaxSize = 10 * 1024 * 1024; // bytes of all names and values
const kInspect = Symbol.for('nodejs.util.inspect.custom');

const states = new WeakMap(); // storage -> { items, symbols }

function stateOf(storage) {
  const state = states.get(storage);
  if (state === undefined) throw new TypeError('Illegal invocation');
  return state;
}

function checkArguments(count, method, needed) {
  if (count >= needed) return;
  const error = new TypeError(
    `Failed to execute '${method}' on 'Storage': ${needed} argument${needed === 1 ? '' : 's'} required`);
  error.code = 'ERR_MISSING_ARGS';
  throw error;
}

function sizeOf(text) {
  return text === undefined ? 0 : text.length * 2;
}

// The items of sessionStorage.
class MemoryItems {
  #items = new Map();
  #size = 0;

  get length() {
    return this.#items.size;
  }

  sortedKeys() {
    return [...this.#items.keys()].map((key) => [key, Buffer.from(key, 'utf16le')])
      .sort(([, a], [, b]) => Buffer.compare(a, b)).map(([key]) => key);
  }

  get(key) {
    return this.#items.get(key);
  }

  has(key) {
    return this.#items.has(key);
  }

  set(key, text) {
    const before = this.#items.has(key) ? sizeOf(key) + sizeOf(this.#items.get(key)) : 0;
    const size = this.#size - before + sizeOf(key) + sizeOf(text);
    if (size > kMaxSize) {
      const QuotaExceededError = require('internal/errors/quota_exceeded_error');
      throw new QuotaExceededError('Setting the value exceeded the quota');
    }
    this.#size = size;
    this.#items.set(key, text);
  }

  delete(key) {
    if (!this.#items.has(key)) return;
    this.#size -= sizeOf(key) + sizeOf(this.#items.get(key));
    this.#items.delete(key);
  }

  clear() {
    this.#items.clear();
    this.#size = 0;
  }
}

function Storage() {
  const error = new Error('Illegal constructor'); // no TypeError, since Node makes this one in C++
  error.code = 'ERR_ILLEGAL_CONSTRUCTOR';
  throw error;
}

const methods = {
  get length() {
    return stateOf(this).items.length;
  },

  clear() {
    stateOf(this).items.clear();
  },

  getItem(key) {
    const { items } = stateOf(this);
    checkArguments(arguments.length, 'getItem', 1);
    return items.get(`${key}`) ?? null;
  },

  key(index) {
    const { items } = stateOf(this);
    checkArguments(arguments.length, 'key', 1);
    return items.sortedKeys()[index | 0] ?? null;
  },

  removeItem(key) {
    const { items } = stateOf(this);
    checkArguments(arguments.length, 'removeItem', 1);
    items.delete(`${key}`);
  },

  setItem(key, value) {
    const { items } = stateOf(this);
    checkArguments(arguments.length, 'setItem', 2);
    items.set(`${key}`, `${value}`);
  },
};
Object.defineProperties(Storage.prototype, Object.getOwnPropertyDescriptors(methods));

for (const name of ['clear', 'getItem', 'key', 'removeItem', 'setItem']) {
  Object.defineProperty(Storage.prototype, name, { __proto__: null, enumerable: true });
  Object.defineProperty(Storage.prototype[name], 'length', { __proto__: null, value: 0, configurable: true });
}
Object.defineProperty(Storage.prototype, 'length', { __proto__: null, enumerable: true, configurable: false });

// What the class has goes before the items.
function isInherited(target, key) {
  return key in Object.getPrototypeOf(target);
}

function describe(state, target, key) {
  const value = typeof key === 'symbol' || isInherited(target, key) ? undefined : state.items.get(key);
  if (value === undefined) return undefined;
  return { value, writable: true, enumerable: true, configurable: true };
}

function handlerOf(state) {
  return {
    __proto__: null,
    get(target, key, receiver) {
      if (isInherited(target, key)) return Reflect.get(Object.getPrototypeOf(target), key, receiver);
      return typeof key === 'symbol' ? state.symbols.get(key) : state.items.get(key);
    },
    set(target, key, value) {
      if (key === '__proto__') return Reflect.set(target, key, value);
      if (typeof key === 'symbol') state.symbols.set(key, value);
      else state.items.set(key, `${value}`);
      return true;
    },
    has(target, key) {
      return isInherited(target, key) || (typeof key === 'symbol' ? state.symbols : state.items).has(key);
    },
    deleteProperty(target, key) {
      if (typeof key === 'symbol') state.symbols.delete(key);
      else state.items.delete(key);
      return true;
    },
    ownKeys() {
      return state.items.sortedKeys();
    },
    getOwnPropertyDescriptor(target, key) {
      return describe(state, target, key);
    },
    defineProperty(target, key, descriptor) {
      if (typeof key === 'symbol') state.symbols.set(key, descriptor.value);
      else state.items.set(key, `${descriptor.value}`);
      return true;
    },
  };
}

function makeStorage(items) {
  const state = { items, symbols: new Map() };
  const target = Object.create(Storage.prototype, {
    // util.inspect() looks at the target, not at the proxy.
    [kInspect]: {
      __proto__: null,
      configurable: true,
      value(depth, options, inspect) {
        const shown = Object.create(Storage.prototype);
        for (const key of state.items.sortedKeys()) shown[key] = state.items.get(key);
        return inspect(shown, options);
      },
    },
  });
  const storage = new Proxy(target, handlerOf(state));
  states.set(storage, state);
  return storage;
}

function openFile() {
  const file = getOptionValue('--localstorage-file');
  if (file !== undefined) {
    const { FileItems } = require('internal/web/webstorage_file');
    return makeStorage(new FileItems(file));
  }
  if (!isWarned) {
    isWarned = true;
    process.emitWarning('localStorage is not available because --localstorage-file was not provided.',
      'ExperimentalWarning');
  }
  return undefined;
}

let localStorage;
let sessionStorage;
let isWarned = false;

module.exports = {
  Storage,
  get localStorage() {
    return localStorage ??= openFile();
  },
  get sessionStorage() {
    return sessionStorage ??= makeStorage(new MemoryItems());
  },
};
