'use strict';
// Storage and sessionStorage, which is in memory. localStorage needs a file, and is undefined without one.
//
// A storage is a proxy: its items are its properties. Node keeps them in a table of SQLite, which is why they come
// sorted, by the bytes of their UTF-16 names.

const kMaxSize = 10 * 1024 * 1024; // bytes of all names and values
const kInspect = Symbol.for('nodejs.util.inspect.custom');

const states = new WeakMap(); // storage -> { items, symbols, size }

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

function sortedKeys({ items }) {
  return [...items.keys()].map((key) => [key, Buffer.from(key, 'utf16le')])
    .sort(([, a], [, b]) => Buffer.compare(a, b)).map(([key]) => key);
}

function sizeOf(text) {
  return text === undefined ? 0 : text.length * 2;
}

function setItem(state, key, value) {
  const text = `${value}`;
  const before = state.items.has(key) ? sizeOf(key) + sizeOf(state.items.get(key)) : 0;
  const size = state.size - before + sizeOf(key) + sizeOf(text);
  if (size > kMaxSize) {
    const QuotaExceededError = require('internal/quota_exceeded_error');
    throw new QuotaExceededError('Setting the value exceeded the quota');
  }
  state.size = size;
  state.items.set(key, text);
}

function removeItem(state, key) {
  if (!state.items.has(key)) return;
  state.size -= sizeOf(key) + sizeOf(state.items.get(key));
  state.items.delete(key);
}

class Storage {
  constructor() {
    const error = new Error('Illegal constructor'); // no TypeError, since Node makes this one in C++
    error.code = 'ERR_ILLEGAL_CONSTRUCTOR';
    throw error;
  }

  get length() {
    return stateOf(this).items.size;
  }

  clear() {
    const state = stateOf(this);
    state.items.clear();
    state.size = 0;
  }

  getItem(key) {
    const { items } = stateOf(this);
    checkArguments(arguments.length, 'getItem', 1);
    return items.get(`${key}`) ?? null;
  }

  key(index) {
    const state = stateOf(this);
    checkArguments(arguments.length, 'key', 1);
    return sortedKeys(state)[index | 0] ?? null;
  }

  removeItem(key) {
    const state = stateOf(this);
    checkArguments(arguments.length, 'removeItem', 1);
    removeItem(state, `${key}`);
  }

  setItem(key, value) {
    const state = stateOf(this);
    checkArguments(arguments.length, 'setItem', 2);
    setItem(state, `${key}`, value);
  }
}

for (const name of ['clear', 'getItem', 'key', 'removeItem', 'setItem']) {
  Object.defineProperty(Storage.prototype, name, { __proto__: null, enumerable: true });
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
      else setItem(state, key, value);
      return true;
    },
    has(target, key) {
      return isInherited(target, key) || (typeof key === 'symbol' ? state.symbols : state.items).has(key);
    },
    deleteProperty(target, key) {
      if (typeof key === 'symbol') state.symbols.delete(key);
      else removeItem(state, key);
      return true;
    },
    ownKeys() {
      return sortedKeys(state);
    },
    getOwnPropertyDescriptor(target, key) {
      return describe(state, target, key);
    },
    defineProperty(target, key, descriptor) {
      if (typeof key === 'symbol') state.symbols.set(key, descriptor.value);
      else setItem(state, key, descriptor.value);
      return true;
    },
  };
}

function makeStorage() {
  const state = { items: new Map(), symbols: new Map(), size: 0 };
  const target = Object.create(Storage.prototype, {
    // util.inspect() looks at the target, not at the proxy.
    [kInspect]: {
      __proto__: null,
      configurable: true,
      value(depth, options, inspect) {
        const shown = Object.create(Storage.prototype);
        for (const key of sortedKeys(state)) shown[key] = state.items.get(key);
        return inspect(shown, options);
      },
    },
  });
  const storage = new Proxy(target, handlerOf(state));
  states.set(storage, state);
  return storage;
}

let sessionStorage;
let isWarned = false;

module.exports = {
  Storage,
  get localStorage() {
    if (!isWarned) {
      isWarned = true;
      process.emitWarning('localStorage is not available because --localstorage-file was not provided.',
        'ExperimentalWarning');
    }
    return undefined;
  },
  get sessionStorage() {
    return sessionStorage ??= makeStorage();
  },
};
