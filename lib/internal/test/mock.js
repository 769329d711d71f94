'use strict';
// Mocks of node:test: functions that keep a record of their calls, in place of others.

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateBoolean, validateFunction, validateInteger, validateObject } = require('internal/validators');

class MockFunctionContext {
  #calls = [];
  #implementation;
  #once = new Map(); // number of a call -> what it does
  #restore;
  #times;

  constructor(implementation, restore, times) {
    this.#implementation = implementation;
    this.#restore = restore;
    this.#times = times;
  }

  get calls() {
    return this.#calls.slice();
  }

  callCount() {
    return this.#calls.length;
  }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall) {
    validateFunction(implementation, 'implementation');
    const next = this.#calls.length;
    const call = onCall ?? next;
    validateInteger(call, 'onCall', next);
    this.#once.set(call, implementation);
  }

  resetCalls() {
    this.#calls = [];
  }

  restore() {
    this.#restore(this);
  }

  // What the next call does; after `times` calls the original is back.
  static next(context) {
    const number = context.#calls.length;
    const implementation = context.#once.get(number) ?? context.#implementation;
    context.#once.delete(number);
    if (number + 1 === context.#times) context.restore();
    return implementation;
  }

  static record(context, call) {
    context.#calls.push(call);
  }
}

const { next: nextImplementation, record } = MockFunctionContext;
delete MockFunctionContext.next;
delete MockFunctionContext.record;

function call(context, target, thisArg, args, invoke) {
  const entry = { arguments: args, error: undefined, result: undefined, stack: new Error(), target: undefined,
    this: thisArg };
  const implementation = nextImplementation(context);
  try {
    entry.result = invoke(implementation, entry);
  } catch (error) {
    entry.error = error;
    throw error;
  } finally {
    record(context, entry);
  }
  return entry.result;
}

function makeMock(original, implementation, restore, times) {
  const context = new MockFunctionContext(implementation, restore, times);
  const mock = new Proxy(original, {
    __proto__: null,
    apply(target, thisArg, args) {
      return call(context, target, thisArg, args, (fn) => Reflect.apply(fn, thisArg, args));
    },
    construct(target, args, newTarget) {
      return call(context, target, undefined, args, (fn, entry) => {
        entry.target = target;
        const result = Reflect.construct(fn, args, newTarget);
        entry.this = result;
        return result;
      });
    },
    get(target, key, receiver) {
      return key === 'mock' ? context : Reflect.get(target, key, receiver);
    },
  });
  return { mock, context };
}

function findDescriptor(object, name) {
  for (let current = object; current !== null; current = Object.getPrototypeOf(current)) {
    const descriptor = Object.getOwnPropertyDescriptor(current, name);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

function validateTimes(value) {
  if (value === undefined) return Infinity;
  validateInteger(value, 'options.times', 1);
  return value;
}

// (original, implementation, options), where each may be left out
function sortArguments(original, implementation, options) {
  if (original !== null && typeof original === 'object') return [undefined, undefined, original];
  if (implementation !== null && typeof implementation === 'object') return [original, undefined, implementation];
  return [original, implementation, options];
}

class MockTracker {
  #restores = [];

  fn(original = function() {}, implementation = original, options = {}) {
    [original, implementation, options] = sortArguments(original, implementation, options);
    original ??= function() {};
    implementation ??= original;
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const restore = (context) => context.mockImplementation(original);
    const { mock, context } = makeMock(original, implementation, restore, validateTimes(options.times));
    this.#restores.push(context);
    return mock;
  }

  method(objectOrFunction, methodName, implementation = undefined, options = {}) {
    if (implementation !== null && typeof implementation === 'object') {
      options = implementation;
      implementation = undefined;
    }
    if (typeof objectOrFunction !== 'function') validateObject(objectOrFunction, 'object');
    validateObject(options, 'options');
    const { getter = false, setter = false, times } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    if (getter && setter) {
      throw new ERR_INVALID_ARG_VALUE('options.setter', setter, "cannot be used with 'options.getter'");
    }
    const part = getter ? 'get' : setter ? 'set' : 'value';
    const descriptor = findDescriptor(objectOrFunction, methodName);
    const original = descriptor?.[part];
    if (typeof original !== 'function') {
      throw new ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    }
    implementation ??= original;
    validateFunction(implementation, 'implementation');

    const hadOwn = Object.hasOwn(objectOrFunction, methodName);
    const restore = () => {
      if (hadOwn) Object.defineProperty(objectOrFunction, methodName, descriptor);
      else delete objectOrFunction[methodName];
    };
    const { mock, context } = makeMock(original, implementation, restore, validateTimes(times));
    Object.defineProperty(objectOrFunction, methodName, { ...descriptor, configurable: true, [part]: mock });
    this.#restores.push(context);
    return mock;
  }

  getter(object, methodName, implementation = undefined, options = {}) {
    if (implementation !== null && typeof implementation === 'object') {
      return this.method(object, methodName, { ...implementation, getter: true });
    }
    return this.method(object, methodName, implementation, { ...options, getter: true });
  }

  setter(object, methodName, implementation = undefined, options = {}) {
    if (implementation !== null && typeof implementation === 'object') {
      return this.method(object, methodName, { ...implementation, setter: true });
    }
    return this.method(object, methodName, implementation, { ...options, setter: true });
  }

  restoreAll() {
    for (const context of this.#restores) context.restore();
  }

  reset() {
    this.restoreAll();
    this.#restores = [];
  }
}

module.exports = { MockTracker };
