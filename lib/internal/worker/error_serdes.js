'use strict';
// An error that ended a Worker, on its way to the parent: bytes, the first of which says what they are.

const { Buffer } = require('buffer');
const { inspect } = require('internal/util/inspect');

const kInspect = Symbol.for('nodejs.util.inspect.custom');

const Kind = { error: 0, value: 1, text: 2, symbol: 3, inspected: 4, circular: 5 };

const kErrors = { Error, TypeError, RangeError, URIError, SyntaxError, ReferenceError, EvalError, AggregateError };

function withKind(kind, content) {
  return Buffer.concat([Buffer.from([kind]), Buffer.from(content)]);
}

// The name of the nearest built-in class that the error is of.
function builtinClass(error) {
  for (let object = error; object !== null; object = Object.getPrototypeOf(object)) {
    const constructor = Object.getOwnPropertyDescriptor(object, 'constructor')?.value;
    if (!constructor) continue;
    const name = Object.getOwnPropertyDescriptor(constructor, 'name')?.value;
    if (Object.hasOwn(kErrors, name)) return name;
  }
  return undefined;
}

// Property descriptors, those of the prototypes included. What a getter returns becomes a value.
function collectProperties(object, error, seen) {
  const all = { __proto__: null };
  if (object === null) return all;
  Object.assign(all, collectProperties(Object.getPrototypeOf(object), error, seen));
  for (const key of Object.getOwnPropertyNames(object)) {
    const found = readProperty(object, key, error, seen);
    if (found !== undefined) all[key] = found;
  }
  return all;
}

function readProperty(object, key, error, seen) {
  let descriptor;
  try {
    descriptor = Object.getOwnPropertyDescriptor(object, key);
  } catch {
    return undefined;
  }
  if (descriptor.get && key !== '__proto__') {
    try {
      descriptor.value = Reflect.apply(descriptor.get, error, []);
      delete descriptor.get;
      delete descriptor.set;
    } catch {
      // Stays a getter, and is left out.
    }
  }
  if (key === 'cause') {
    descriptor.value = serializeError(descriptor.value, seen);
    return descriptor;
  }
  const isPlain = 'value' in descriptor && typeof descriptor.value !== 'function' &&
    typeof descriptor.value !== 'symbol';
  return isPlain ? descriptor : undefined;
}

function serializeAsError(error, seen) {
  if (typeof error !== 'object' || Object.prototype.toString.call(error) !== '[object Error]') return undefined;
  if (seen.has(error)) return Buffer.from([Kind.circular]);
  seen.add(error);
  const constructor = builtinClass(error);
  if (constructor === undefined) return undefined;
  const { serialize } = require('v8');
  return withKind(Kind.error, serialize({ constructor, properties: collectProperties(error, error, seen) }));
}

function attempt(fn) {
  try {
    return fn();
  } catch {
    return undefined;
  }
}

function serializeError(error, seen = new Set()) {
  if (typeof error === 'symbol') return withKind(Kind.symbol, inspect(error));
  return attempt(() => serializeAsError(error, seen)) ??
    attempt(() => (error != null && kInspect in error ? withKind(Kind.inspected, inspect(error)) : undefined)) ??
    attempt(() => withKind(Kind.value, require('v8').serialize(error))) ??
    withKind(Kind.text, inspect(error));
}

function shownAs(text) {
  return { __proto__: null, [kInspect]: () => text };
}

function toError({ constructor, properties }) {
  Object.defineProperty(properties, Symbol.toStringTag, {
    __proto__: null,
    value: { __proto__: null, value: 'Error', configurable: true },
    enumerable: true,
  });
  if ('cause' in properties && 'value' in properties.cause) {
    properties.cause.value = deserializeError(properties.cause.value);
  }
  return Object.create(kErrors[constructor].prototype, properties);
}

function deserializeError(bytes) {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset + 1, bytes.byteLength - 1);
  switch (bytes[0]) {
    case Kind.error: return toError(require('v8').deserialize(content));
    case Kind.value: return require('v8').deserialize(content);
    case Kind.text: return content.toString();
    case Kind.symbol: return Symbol.for(content.toString().slice('Symbol('.length, -1));
    case Kind.inspected: return shownAs(content.toString());
    default: return shownAs('[Circular object]');
  }
}

module.exports = { deserializeError, serializeError };
