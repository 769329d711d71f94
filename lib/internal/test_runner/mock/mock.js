'use strict';
// Mocks of node:test: functions and properties that record their use, instead of others; timers that a
// test moves on; modules with other exports.

const { codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { getOptionValue } = require('internal/options');
const { validateBoolean, validateFunction, validateInteger, validateObject } =
  require('internal/validators');
const { MockPropertyContext } = require('internal/test_runner/mock/property');

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

  restore() {
    this.#restore(this);
  }

  resetCalls() {
    this.#calls = [];
  }

  // What the next call does; after `times` calls the original is back.
  static next(context) {
    const number = context.#calls.length;
    const implementation = context.#once.get(number) ?? context.#implementation;
    if (number + 1 === context.#times) context.restore();
    context.#once.delete(number);
    return implementation;
  }

  static record(context, call) {
    context.#calls.push(call);
  }
}

const { next: nextImplementation, record } = MockFunctionContext;
const { restore: restoreFunction } = MockFunctionContext.prototype;
delete MockFunctionContext.next;
delete MockFunctionContext.record;

function call(context, thisArg, args, target, invoke) {
  const implementation = nextImplementation(context);
  let result;
  let error;
  try {
    result = invoke(implementation);
    return result;
  } catch (thrown) {
    error = thrown;
    throw thrown;
  } finally {
    record(context, {
      __proto__: null,
      arguments: args,
      error,
      result,
      stack: new Error(),
      target,
      this: target === undefined ? thisArg : result,
    });
  }
}

function makeMock(original, context) {
  return new Proxy(original, {
    __proto__: null,
    apply(target, thisArg, args) {
      return call(context, thisArg, args, undefined, (fn) => Reflect.apply(fn, thisArg, args));
    },
    construct(target, args, newTarget) {
      return call(context, undefined, args, target,
        (fn) => Reflect.construct(fn, args, newTarget));
    },
    get(target, key, receiver) {
      return key === 'mock' ? context : Reflect.get(target, key, receiver);
    },
  });
}

function findDescriptor(object, name) {
  for (let current = object; current !== null; current = Object.getPrototypeOf(current)) {
    const descriptor = Object.getOwnPropertyDescriptor(current, name);
    if (descriptor !== undefined) return descriptor;
  }
  return undefined;
}

function validateName(value, name) {
  if (typeof value !== 'string' && typeof value !== 'symbol') {
    throw new ERR_INVALID_ARG_TYPE(name, ['string', 'symbol'], value);
  }
}

function validateTimes(value) {
  if (value !== Infinity) validateInteger(value, 'options.times', 1);
}

function isOptions(value) {
  return value !== null && typeof value === 'object';
}

function keepOriginal() {} // means: no other implementation

class MockTracker {
  #mocks = []; // { context, restore }
  #timers;

  get timers() {
    if (this.#timers === undefined) {
      const { MockTimers } = require('internal/test_runner/mock/mock_timers');
      this.#timers = new MockTimers();
    }
    return this.#timers;
  }

  // fn([original[, implementation]][, options])
  fn(original = function() {}, implementation = original, options = {}) {
    if (isOptions(original)) {
      options = original;
      original = function() {};
      implementation = original;
    } else if (isOptions(implementation)) {
      options = implementation;
      implementation = original;
    }
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { times = Infinity } = options;
    validateTimes(times);
    const restore = (context) => context.mockImplementation(original);
    return this.#add(original, new MockFunctionContext(implementation, restore, times));
  }

  #add(original, context) {
    this.#mocks.push({ context, restore: restoreFunction });
    return makeMock(original, context);
  }

  method(objectOrFunction, methodName, implementation = keepOriginal, options = {}) {
    validateName(methodName, 'methodName');
    if (typeof objectOrFunction !== 'function') validateObject(objectOrFunction, 'object');
    if (isOptions(implementation)) {
      options = implementation;
      implementation = keepOriginal;
    }
    validateFunction(implementation, 'implementation');
    validateObject(options, 'options');
    const { getter = false, setter = false, times = Infinity } = options;
    validateBoolean(getter, 'options.getter');
    validateBoolean(setter, 'options.setter');
    validateTimes(times);
    if (getter && setter) {
      throw new ERR_INVALID_ARG_VALUE('options.setter', setter,
        "cannot be used with 'options.getter'");
    }
    const part = getter ? 'get' : setter ? 'set' : 'value';
    return this.#mockMethod(objectOrFunction, methodName, implementation, part, times);
  }

  #mockMethod(object, name, implementation, part, times) {
    const descriptor = findDescriptor(object, name);
    const original = descriptor?.[part];
    if (typeof original !== 'function') {
      throw new ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    }
    const restore = (context) => {
      if (typeof name === 'string') {
        Object.defineProperty(object, name, { __proto__: null, ...descriptor });
      } else {
        context.mockImplementation(original);
      }
    };
    const context = new MockFunctionContext(
      implementation === keepOriginal ? original : implementation, restore, times);
    const mock = this.#add(original, context);
    Object.defineProperty(object, name, { __proto__: null, ...descriptor, [part]: mock });
    return mock;
  }

  getter(object, methodName, implementation = keepOriginal, options = {}) {
    return this.#accessor(object, methodName, implementation, options, 'getter');
  }

  setter(object, methodName, implementation = keepOriginal, options = {}) {
    return this.#accessor(object, methodName, implementation, options, 'setter');
  }

  #accessor(object, methodName, implementation, options, kind) {
    if (isOptions(implementation)) {
      options = implementation;
      implementation = keepOriginal;
    } else {
      validateObject(options, 'options');
    }
    const { [kind]: value = true } = options;
    if (value === false) {
      throw new ERR_INVALID_ARG_VALUE(`options.${kind}`, value, 'cannot be false');
    }
    return this.method(object, methodName, implementation,
      { __proto__: null, ...options, [kind]: value });
  }

  property(object, propertyName, ...value) {
    validateObject(object, 'object');
    validateName(propertyName, 'propertyName');
    const context = new MockPropertyContext(object, propertyName, ...value);
    this.#mocks.push({ context, restore: context.restore });
    return new Proxy(object, {
      __proto__: null,
      get(target, key, receiver) {
        return key === 'mock' ? context : Reflect.get(target, key, receiver);
      },
    });
  }

  module(specifier, options = {}) {
    const { mockModule } = require('internal/test_runner/mock/modules');
    const context = mockModule(specifier, options, this.module);
    this.#mocks.push({ context, restore: context.restore });
    return context;
  }

  reset() {
    this.restoreAll();
    this.#timers?.reset();
    this.#mocks = [];
  }

  restoreAll() {
    for (const { context, restore } of this.#mocks) Reflect.apply(restore, context, []);
  }
}

if (getOptionValue('--experimental-test-module-mocks') !== true) {
  delete MockTracker.prototype.module;
}

module.exports = { MockTracker };
