'use strict';
// What the standard library of V8 11.3 (Node 20) has and that of V8 10.2 has not:
//
//   Array.prototype         toReversed toSorted toSpliced with    (V8 11.0)
//   %TypedArray%.prototype  toReversed toSorted with              (V8 11.0)
//   String.prototype        isWellFormed toWellFormed             (V8 11.1)
//   Symbol                  dispose asyncDispose                  (Node's own)
//
// Not here, because only the engine can do it: the v flag of RegExp, symbols as keys of WeakMaps, and what V8 10.2 has
// behind flags of its own (resizable ArrayBuffers: --harmony-rab-gsab; Intl.NumberFormat 3:
// --harmony-intl-number-format-v3).
//
// Runs before any program does, so what it takes from prototypes at load time is the original.

const { apply } = Reflect;
const { sort } = Array.prototype;
const { get: mapGet } = Map.prototype;
const TypedArray = Object.getPrototypeOf(Uint8Array);
const { at: typedAt, set: typedSet, sort: typedSort } = TypedArray.prototype;
const getterOf = (object, key) => Object.getOwnPropertyDescriptor(object, key).get;
const typedLength = getterOf(TypedArray.prototype, 'length');
const typedName = getterOf(TypedArray.prototype, Symbol.toStringTag);

const MAX_LENGTH = Number.MAX_SAFE_INTEGER;

function toObject(value) {
  if (value === undefined || value === null) throw new TypeError('Cannot convert undefined or null to object');
  return Object(value);
}

function toInteger(value) {
  const number = Math.trunc(+value);
  return number !== number || number === 0 ? 0 : number;
}

function lengthOf(object) {
  return Math.min(Math.max(toInteger(object.length), 0), MAX_LENGTH);
}

// Where a relative index leads to, within the length.
function clampIndex(index, length) {
  return index < 0 ? Math.max(length + index, 0) : Math.min(index, length);
}

function checkComparator(compare) {
  if (compare !== undefined && typeof compare !== 'function') {
    throw new TypeError('The comparison function must be either a function or undefined');
  }
}

const arrayMethods = {
  toReversed() {
    const object = toObject(this);
    const length = lengthOf(object);
    const out = new Array(length);
    for (let i = 0; i < length; i++) out[i] = object[length - 1 - i];
    return out;
  },

  toSorted(comparefn) {
    checkComparator(comparefn);
    const object = toObject(this);
    const length = lengthOf(object);
    const out = new Array(length);
    for (let i = 0; i < length; i++) out[i] = object[i];
    return apply(sort, out, [comparefn]);
  },

  toSpliced(start, deleteCount, ...items) {
    const object = toObject(this);
    const length = lengthOf(object);
    const from = clampIndex(toInteger(start), length);
    let skipped = 0;
    if (arguments.length === 1) skipped = length - from;
    else if (arguments.length > 1) skipped = Math.min(Math.max(toInteger(deleteCount), 0), length - from);
    const outLength = length + items.length - skipped;
    if (outLength > MAX_LENGTH) throw new TypeError('Invalid array length');
    const out = new Array(outLength);
    for (let i = 0; i < from; i++) out[i] = object[i];
    for (let i = 0; i < items.length; i++) out[from + i] = items[i];
    for (let to = from + items.length; to < outLength; to++) out[to] = object[to - items.length + skipped];
    return out;
  },

  with(index, value) {
    const object = toObject(this);
    const length = lengthOf(object);
    const relative = toInteger(index);
    const actual = relative < 0 ? length + relative : relative;
    if (actual < 0 || actual >= length) throw new RangeError(`Invalid index : ${relative}`);
    const out = new Array(length);
    for (let i = 0; i < length; i++) out[i] = i === actual ? value : object[i];
    return out;
  },
};

const typedConstructors = new Map();
for (const constructor of [
  Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array,
  Float64Array, BigInt64Array, BigUint64Array,
]) typedConstructors.set(constructor.name, constructor);

function isTypedArray(value) {
  return typeof value === 'object' && value !== null && apply(typedName, value, []) !== undefined;
}

// A detached array has the length 0, but not every such array is detached: at() knows.
function checkAttached(array, method) {
  if (apply(typedLength, array, []) > 0) return;
  try {
    apply(typedAt, array, [0]);
  } catch {
    throw new TypeError(`Cannot perform %TypedArray%.prototype.${method} on a detached ArrayBuffer`);
  }
}

// A new array of the same type, not of the same class: these methods ask no species.
function copyOf(array) {
  const out = new (typedConstructors.get(apply(typedName, array, [])))(apply(typedLength, array, []));
  apply(typedSet, out, [array]);
  return out;
}

const typedArrayMethods = {
  toReversed() {
    if (!isTypedArray(this)) throw incompatibleReceiver(this, 'toReversed');
    checkAttached(this, 'toReversed');
    const out = copyOf(this);
    const last = apply(typedLength, this, []) - 1;
    for (let i = 0; i <= last; i++) out[i] = this[last - i];
    return out;
  },

  toSorted(comparefn) {
    checkComparator(comparefn);
    if (!isTypedArray(this)) throw incompatibleReceiver(this, 'toSorted');
    checkAttached(this, 'toSorted');
    return apply(typedSort, copyOf(this), [comparefn]);
  },

  with(index, value) {
    if (!isTypedArray(this)) throw new TypeError('this is not a typed array.');
    checkAttached(this, 'with');
    const length = apply(typedLength, this, []);
    const relative = toInteger(index);
    const actual = relative < 0 ? length + relative : relative;
    const isBig = apply(typedName, this, []).startsWith('Big');
    value = isBig ? toBigInt(value) : +value;
    // The conversion may have run a program that detached the buffer.
    if (actual < 0 || actual >= apply(typedLength, this, [])) throw new RangeError('Invalid typed array index');
    const out = copyOf(this);
    out[actual] = value;
    return out;
  },
};

// Numbers, which BigInt() takes, are not converted here.
const oneBigInt = new BigInt64Array(1);

function toBigInt(value) {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'object' || typeof value === 'function') value = toPrimitive(value);
  if (typeof value === 'string' || typeof value === 'boolean') return BigInt(value);
  if (typeof value === 'bigint') return value;
  oneBigInt[0] = value; // throws the engine's own error
}

function toPrimitive(object) {
  if (object === null) return null;
  const convert = object[Symbol.toPrimitive];
  if (convert === undefined || convert === null) {
    for (const name of ['valueOf', 'toString']) {
      if (typeof object[name] !== 'function') continue;
      const value = object[name]();
      if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return value;
    }
    throw new TypeError('Cannot convert object to primitive value');
  }
  const value = apply(convert, object, ['number']);
  if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
    throw new TypeError('Cannot convert object to primitive value');
  }
  return value;
}

// How the engine writes a receiver, only it knows: let another method say it.
function incompatibleReceiver(receiver, method) {
  try {
    apply(mapGet, receiver, []);
  } catch (error) {
    return new TypeError(error.message.replace('Map.prototype.get', `%TypedArray%.prototype.${method}`));
  }
}

const surrogate = /[\ud800-\udfff]/;
const loneSurrogate = /\p{Surrogate}/u;
const loneSurrogates = /\p{Surrogate}/gu;
const { exec, [Symbol.replace]: replace } = RegExp.prototype;

function toText(value, method) {
  if (value === undefined || value === null) {
    throw new TypeError(`String.prototype.${method} called on null or undefined`);
  }
  return `${value}`;
}

const stringMethods = {
  isWellFormed() {
    const text = toText(this, 'isWellFormed');
    return apply(exec, surrogate, [text]) === null || apply(exec, loneSurrogate, [text]) === null;
  },

  toWellFormed() {
    const text = toText(this, 'toWellFormed');
    return apply(exec, surrogate, [text]) === null ? text : apply(replace, loneSurrogates, [text, '\ufffd']);
  },
};

function supply(prototype, methods) {
  const supplied = [];
  for (const name of Object.keys(methods)) {
    if (Object.hasOwn(prototype, name)) continue;
    Object.defineProperty(prototype, name, {
      __proto__: null, configurable: true, enumerable: false, value: methods[name], writable: true,
    });
    supplied.push(name);
  }
  return supplied;
}

const unscopables = Array.prototype[Symbol.unscopables];
for (const name of supply(Array.prototype, arrayMethods)) {
  if (name !== 'with') unscopables[name] = true; // nobody can write with (array) { with(...) }
}
supply(TypedArray.prototype, typedArrayMethods);
supply(String.prototype, stringMethods);
for (const name of ['dispose', 'asyncDispose']) {
  Object.defineProperty(Symbol, name, { __proto__: null, value: Symbol.for(`nodejs.${name}`) });
}

// An extension of V8's own that nobody else has.
delete Intl.v8BreakIterator;
