'use strict';
// Replaces a property of an object by one that records its use.

const { codes: { ERR_INVALID_ARG_VALUE } } = require('internal/errors');
const { validateInteger } = require('internal/validators');

class MockPropertyContext {
  #accesses = [];
  #descriptor;
  #name;
  #object;
  #once = new Map(); // number of an access -> value
  #original;
  #value;

  // `value` is left out to keep what it has.
  constructor(object, name, ...value) {
    this.#object = object;
    this.#name = name;
    this.#original = object[name];
    this.#value = value.length > 0 ? value[0] : this.#original;
    this.#descriptor = Object.getOwnPropertyDescriptor(object, name);
    if (!this.#descriptor) {
      throw new ERR_INVALID_ARG_VALUE('propertyName', name, 'is not a property of the object');
    }
    const { configurable, enumerable } = this.#descriptor;
    Object.defineProperty(object, name, {
      __proto__: null,
      configurable,
      enumerable,
      get: () => this.#access('get', this.#value),
      set: (newValue) => this.mockImplementation(newValue),
    });
  }

  #access(type, value) {
    const number = this.#accesses.length;
    if (this.#once.has(number)) {
      value = this.#once.get(number);
      this.#once.delete(number);
    }
    this.#accesses.push({ __proto__: null, type, value, stack: new Error() });
    return value;
  }

  get accesses() {
    return this.#accesses.slice();
  }

  accessCount() {
    return this.#accesses.length;
  }

  mockImplementation(value) {
    if (!this.#descriptor.writable) {
      throw new ERR_INVALID_ARG_VALUE('propertyName', this.#name, 'cannot be set');
    }
    this.#value = this.#access('set', value);
  }

  mockImplementationOnce(value, onAccess) {
    const next = this.#accesses.length;
    const number = onAccess ?? next;
    validateInteger(number, 'onAccess', next);
    this.#once.set(number, value);
  }

  resetAccesses() {
    this.#accesses = [];
  }

  restore() {
    Object.defineProperty(this.#object, this.#name,
      { __proto__: null, ...this.#descriptor, value: this.#original });
  }
}

module.exports = { MockPropertyContext };
