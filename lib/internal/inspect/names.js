'use strict';
// What an object is called: its constructor's name, its tag, and a text for a missing prototype.

const { getConstructorName: engineConstructorName } = binding('util');

const { hasOwn } = Object;

// Constructors the language brings along: what their prototypes hold is not news. (Not SharedArrayBuffer,
// nor what the runtime adds, such as URL: as in Node.)
const kBuiltinConstructors = new Set(['Object', 'Function', 'Array', 'Number', 'Boolean', 'String',
  'Symbol', 'Date', 'Promise', 'RegExp', 'Error', 'AggregateError', 'EvalError', 'RangeError',
  'ReferenceError', 'SyntaxError', 'TypeError', 'URIError', 'ArrayBuffer', 'Uint8Array', 'Int8Array',
  'Uint16Array', 'Int16Array', 'Uint32Array', 'Int32Array', 'Float32Array', 'Float64Array',
  'Uint8ClampedArray', 'BigUint64Array', 'BigInt64Array', 'DataView', 'Map', 'BigInt', 'Set', 'WeakMap',
  'WeakSet', 'Proxy', 'FinalizationRegistry', 'WeakRef']);

function isBuiltinConstructor(name) {
  return kBuiltinConstructors.has(name);
}

function isInstance(object, constructor) {
  try {
    return object instanceof constructor;
  } catch {
    return false;
  }
}

// These keep their names whatever a program does to their `constructor`.
const kWellKnown = new Map([
  Array, ArrayBuffer, Function, Map, Set, Object, RegExp, Date, DataView, Error, AggregateError, RangeError,
  TypeError, Boolean, Number, String, Promise, WeakMap, WeakSet, Object.getPrototypeOf(Uint8Array),
].map((constructor) => [constructor.prototype, { name: constructor.name, constructor }]));
const hasInstance = Function.prototype.call.bind(Function.prototype[Symbol.hasInstance]);

function ownConstructor(object) {
  const descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
  return descriptor !== undefined && typeof descriptor.value === 'function' ?
    descriptor.value : undefined;
}

// The name of the nearest constructor the object is really an instance of; null for an object without
// prototype. `onFound(object, builtin)` is called with the prototype that named it.
function constructorName(object, ctx, depth, inspect, onFound) {
  let first;
  for (let current = object; current !== null;) {
    const known = kWellKnown.get(current);
    if (known !== undefined && hasInstance(known.constructor, object)) {
      if (onFound !== undefined && first !== current) onFound(object, first ?? object);
      return known.name;
    }
    const constructor = ownConstructor(current);
    if (constructor !== undefined && constructor.name !== '' && isInstance(object, constructor)) {
      if (onFound !== undefined &&
          (first !== current || !isBuiltinConstructor(constructor.name))) {
        onFound(object, first ?? object);
      }
      return String(constructor.name); // which may be a symbol
    }
    current = Object.getPrototypeOf(current);
    first ??= current;
    if (first === null) return null;
  }
  const name = engineConstructorName(object);
  if (ctx.depth !== null && depth > ctx.depth) return `${name} <Complex prototype>`;
  const ofPrototype = constructorName(first, ctx, depth + 1, inspect, onFound);
  if (ofPrototype !== null) return `${name} <${ofPrototype}>`;
  const prototype = inspect(first, { ...ctx, customInspect: false, depth: -1 });
  return `${name} <${prototype}>`;
}

// "Foo(2) [tag] " before the brace. `fallback` is the type's own name when the prototype is gone.
function prefix(constructor, tag, fallback, size = '') {
  if (constructor === null) {
    const lead = `[${fallback}${size}: null prototype] `;
    return tag !== '' && fallback !== tag ? `${lead}[${tag}] ` : lead;
  }
  if (tag === '') return `${constructor}${size} `;
  // "Space.Name" says "Name" already.
  const dot = tag.lastIndexOf('.');
  if (constructor === (dot >= 1 ? tag.slice(dot + 1) : tag)) return `${tag}${size} `;
  return `${constructor}${size} [${tag}] `;
}

// The prefix of an object that is nothing special. What has lost its prototype may still be known to the
// engine by a name, unless that is the tag.
function objectPrefix(value, constructor, tag) {
  if (constructor !== null) return prefix(constructor, tag, 'Object');
  const name = engineConstructorName(value);
  return prefix(constructor, tag, name === tag ? 'Object' : name);
}

// The text for an object that is too deep to be shown.
function brief(value, constructor, tag) {
  const name = objectPrefix(value, constructor, tag).slice(0, -1);
  return constructor === null ? name : `[${name}]`;
}

// Symbol.toStringTag, unless it is a property that will be listed anyway.
function tagOf(value, showHidden) {
  let tag;
  try {
    tag = value[Symbol.toStringTag];
  } catch {
    return ''; // a getter that throws
  }
  if (typeof tag !== 'string' || tag === '') return '';
  const listed = showHidden ?
    hasOwn(value, Symbol.toStringTag) :
    Object.prototype.propertyIsEnumerable.call(value, Symbol.toStringTag);
  return listed ? '' : tag;
}

module.exports = {
  brief,
  constructorName,
  isBuiltinConstructor,
  objectPrefix,
  ownConstructor,
  prefix,
  tagOf,
};
