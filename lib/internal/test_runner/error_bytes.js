'use strict';
// Errors as bytes, for another process: with all their properties, as far as those can be copied.

const { inspect } = require('internal/util/inspect');

const kError = 0; // the class and the properties of an error
const kValue = 1; // anything else that can be copied
const kText = 2; // what is shown of something that cannot
const kSymbol = 3;
const kCircular = 4;

const classes = {
  __proto__: null, Error, TypeError, RangeError, URIError, SyntaxError, ReferenceError, EvalError,
};

function className(error) {
  for (let current = error; current !== null; current = Object.getPrototypeOf(current)) {
    const name = Object.getOwnPropertyDescriptor(current, 'constructor')?.value?.name;
    if (classes[name] !== undefined) return name;
  }
  return undefined;
}

function valueOf(descriptor, error) {
  if (descriptor.get === undefined) return descriptor.value;
  try {
    return Reflect.apply(descriptor.get, error, []);
  } catch {
    return undefined;
  }
}

// Own and inherited: name -> [value, isEnumerable]
function propertiesOf(error, seen) {
  const found = { __proto__: null };
  const chain = [];
  for (let current = error; current !== null; current = Object.getPrototypeOf(current)) {
    chain.unshift(current);
  }
  for (const object of chain) {
    for (const key of Object.getOwnPropertyNames(object)) {
      if (key === '__proto__') continue;
      const descriptor = Object.getOwnPropertyDescriptor(object, key);
      let value = valueOf(descriptor, error);
      if (key === 'cause') value = toBytes(value, seen);
      else if (typeof value === 'function' || typeof value === 'symbol') continue;
      found[key] = [value, descriptor.enumerable];
    }
  }
  return found;
}

function pack(kind, value) {
  const { Buffer } = require('buffer');
  const bytes = typeof value === 'string' ? Buffer.from(value) : value;
  return Buffer.concat([Buffer.from([kind]), bytes]);
}

function toBytes(error, seen = new Set()) {
  const { serialize } = require('v8');
  if (typeof error === 'symbol') return pack(kSymbol, error.description ?? '');
  if (seen.has(error)) return pack(kCircular, '');
  if (error !== null && typeof error === 'object') {
    seen.add(error);
    try {
      const name = Object.prototype.toString.call(error) === '[object Error]' ? className(error) :
        undefined;
      if (name !== undefined) {
        return pack(kError, serialize({ name, properties: propertiesOf(error, seen) }));
      }
    } catch {
      return pack(kText, inspect(error));
    } finally {
      seen.delete(error);
    }
  }
  try {
    if (error != null && inspect.custom in error) return pack(kText, inspect(error));
    return pack(kValue, serialize(error));
  } catch {
    return pack(kText, inspect(error));
  }
}

function makeError({ name, properties }, outer) {
  const error = Object.create(classes[name].prototype);
  const all = [...outer, error];
  for (const key of Object.keys(properties)) {
    const [value, enumerable] = properties[key];
    Object.defineProperty(error, key, {
      __proto__: null, value: key === 'cause' ? fromBytes(value, all) : value, enumerable,
      writable: true, configurable: true,
    });
  }
  Object.defineProperty(error, Symbol.toStringTag, { __proto__: null, value: 'Error', configurable: true });
  return error;
}

function fromBytes(bytes, outer = []) {
  const { Buffer } = require('buffer');
  const { deserialize } = require('v8');
  const rest = Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.byteLength - 1);
  switch (bytes[0]) {
    case kError: return makeError(deserialize(rest), outer);
    case kValue: return deserialize(rest);
    case kSymbol: return Symbol(rest.toString());
    case kCircular: return outer.at(-1);
    case kText: {
      const text = rest.toString();
      return { __proto__: null, [inspect.custom]: () => text };
    }
  }
  return undefined;
}

module.exports = { fromBytes, toBytes };
