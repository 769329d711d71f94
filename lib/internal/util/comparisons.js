'use strict';
// Deep equality, for util.isDeepStrictEqual and assert:
//
//     loose      ==, whatever the prototypes
//     strict     Object.is, same prototypes
//     partial    strict, but the left side may hold more than the right side
//
// Everywhere `a` is the left side, `b` the right one.

const {
  constants: { ONLY_ENUMERABLE, SKIP_SYMBOLS },
  getOwnNonIndexProperties,
} = binding('util');
const types = require('internal/util/types');

const kLoose = 0;
const kPartial = 1;
const kStrict = 2;
const kStrictWithoutPrototypes = 3;

const { getOwnPropertyDescriptor, getOwnPropertySymbols, getPrototypeOf, hasOwn, is, keys } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const timeOf = Function.prototype.call.bind(Date.prototype.getTime);
const isEnumerable = Function.prototype.call.bind(Object.prototype.propertyIsEnumerable);
const toTag = Function.prototype.call.bind(Object.prototype.toString);
const typedArrayName = Function.prototype.call.bind(
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get);

// Constructors for the prototype of what names them.
const kStandard = new Set([Array, ArrayBuffer, BigInt, BigInt64Array, BigUint64Array, Boolean,
  DataView, Date, Error, Float16Array, Float32Array, Float64Array, Function, Int16Array, Int32Array,
  Int8Array, Map, Number, Object, Promise, RegExp, Set, String, Symbol, Uint16Array, Uint32Array,
  Uint8Array, Uint8ClampedArray, WeakMap, WeakSet]);

// What an object holds besides its properties.
const kNothing = 0;
const kElements = 1;
const kMembers = 2;
const kEntries = 3;

function isObject(value) {
  return value !== null && typeof value === 'object';
}

class Comparison {
  constructor(mode, expectsCycles = false) {
    this.mode = mode;
    // The objects that the comparison is inside of.
    this.lefts = expectsCycles ? new Set() : undefined;
    this.rights = expectsCycles ? new Set() : undefined;
  }

  equal(a, b) {
    const isLoose = this.mode === kLoose;
    if (a === b) return a !== 0 || isLoose || is(a, b);
    if (isObject(a) && isObject(b)) return this.equalObjects(a, b);
    if (isObject(a) || isObject(b)) return false;
    // eslint-disable-next-line eqeqeq
    return (a !== a && b !== b) || (isLoose && a == b);
  }

  equalObjects(a, b) {
    if (this.mode === kStrict && !haveSamePrototype(a, b)) return false;
    if (isArray(a)) {
      return isArray(b) && this.fits(a.length, b.length) && haveSameTag(a, b) &&
        this.equalListed(a, b, kElements);
    }
    if (a[Symbol.toStringTag] === undefined && toTag(a) === '[object Object]') {
      return haveSameKind(a, b) && this.equalContents(a, b, kNothing);
    }
    if (types.isSet(a)) {
      return types.isSet(b) && this.fits(a.size, b.size) && haveSameTag(a, b) &&
        this.equalContents(a, b, kMembers);
    }
    if (types.isMap(a)) {
      return types.isMap(b) && this.fits(a.size, b.size) && haveSameTag(a, b) &&
        this.equalContents(a, b, kEntries);
    }
    if (isView(a)) return this.equalViews(a, b) && this.equalListed(a, b, kNothing);
    return this.equalValues(a, b) && this.equalContents(a, b, kNothing);
  }

  // Whether there is as much on the left side as there has to be.
  fits(left, right) {
    return left === right || (this.mode === kPartial && left > right);
  }

  // The key of one value.
  equalValues(a, b) {
    if (types.isDate(a)) {
      return types.isDate(b) && haveSameTag(a, b) && Object.is(timeOf(a), timeOf(b));
    }
    if (types.isRegExp(a)) {
      return types.isRegExp(b) && a.source === b.source && a.flags === b.flags &&
        a.lastIndex === b.lastIndex && haveSameTag(a, b);
    }
    if (types.isAnyArrayBuffer(a)) {
      return types.isAnyArrayBuffer(b) && haveSameTag(a, b) &&
        this.equalBytes(new Uint8Array(a), new Uint8Array(b));
    }
    if (!haveSameKind(a, b) || holdsContents(b)) return false;
    if (isError(a)) return isError(b) && this.equalErrors(a, b);
    if (types.isBoxedPrimitive(a)) return equalBoxed(a, b);
    if (isURL(a)) return isURL(b) && a.href === b.href;
    if (types.isKeyObject(a) || types.isCryptoKey(a)) return this.equalKeys(a, b);
    return !types.isBoxedPrimitive(b) && !isError(b) && !types.isWeakMap(a) &&
      !types.isWeakSet(a) && !types.isPromise(a);
  }

  // Message, name, cause and errors count although they are not enumerable. The stack does not.
  equalErrors(a, b) {
    for (const key of ['message', 'name', 'cause', 'errors']) {
      if (!this.equalHidden(a, b, key)) return false;
    }
    const hasCause = hasOwn(b, 'cause');
    return hasCause === hasOwn(a, 'cause') || (this.mode === kPartial && !hasCause);
  }

  equalHidden(a, b, key) {
    // Enumerable ones are compared with the other properties.
    if (isEnumerable(b, key)) return true;
    if (this.mode === kPartial &&
        (b[key] === undefined || (key === 'message' && b[key] === ''))) return true;
    return this.equal(a[key], b[key]);
  }

  equalKeys(a, b) {
    // Not by their properties and methods, which a program can replace.
    const keys = require('internal/crypto/keys');
    if (types.isKeyObject(a)) {
      return types.isKeyObject(b) && keys.getKeyObjectType(a) === keys.getKeyObjectType(b) &&
        keys.getKeyObjectHandle(a).equals(keys.getKeyObjectHandle(b));
    }
    return types.isCryptoKey(b) && keys.getCryptoKeyType(a) === keys.getCryptoKeyType(b) &&
      keys.getCryptoKeyExtractable(a) === keys.getCryptoKeyExtractable(b) &&
      this.equal(keys.getCryptoKeyAlgorithm(a), keys.getCryptoKeyAlgorithm(b)) &&
      keys.getCryptoKeyUsagesMask(a) === keys.getCryptoKeyUsagesMask(b) &&
      keys.getCryptoKeyHandle(a).equals(keys.getCryptoKeyHandle(b));
  }

  equalViews(a, b) {
    const name = typedArrayName(a);
    if (!isView(b) || name !== typedArrayName(b)) return false;
    if (this.mode === kLoose && /^Float/.test(name)) {
      // Loosely, 0 and -0 are the same.
      return a.byteLength === b.byteLength && a.every((element, i) => element === b[i]);
    }
    return this.equalBytes(bytesOf(a), bytesOf(b));
  }

  // In part, those of the right side have to be there in their order.
  equalBytes(a, b) {
    if (a.length === b.length) return a.every((byte, i) => byte === b[i]);
    if (!this.fits(a.length, b.length)) return false;
    let found = 0;
    for (let i = 0; i < a.length && found < b.length; i++) if (a[i] === b[found]) found++;
    return found === b.length;
  }

  // Arrays: the elements by index, and the other keys as properties.
  equalListed(a, b, contents) {
    const filter = this.mode === kLoose ? ONLY_ENUMERABLE | SKIP_SYMBOLS : ONLY_ENUMERABLE;
    const names = getOwnNonIndexProperties(b, filter);
    if (this.mode !== kPartial && names.length !== getOwnNonIndexProperties(a, filter).length) {
      return false;
    }
    return this.guarded(a, b, contents, names);
  }

  equalContents(a, b, contents) {
    const names = keys(b);
    if (this.mode === kPartial) {
      addSymbols(names, b);
    } else {
      const others = keys(a);
      if (names.length !== others.length) return false;
      if (this.mode !== kLoose) {
        addSymbols(names, b);
        addSymbols(others, a);
        if (names.length !== others.length) return false;
      }
    }
    return this.guarded(a, b, contents, names);
  }

  // Where both sides close a cycle there is nothing more to compare; one alone is different.
  guarded(a, b, contents, names) {
    if (names.length === 0 && isEmpty(b, contents)) return true;
    const { lefts, rights } = this;
    if (lefts === undefined) return this.equalInside(a, b, contents, names);
    const seenLeft = lefts.has(a);
    const seenRight = rights.has(b);
    if (seenLeft || seenRight) return seenLeft && seenRight;
    lefts.add(a);
    rights.add(b);
    const result = this.equalInside(a, b, contents, names);
    lefts.delete(a);
    rights.delete(b);
    return result;
  }

  equalInside(a, b, contents, names) {
    for (const name of names) {
      const descriptor = getOwnPropertyDescriptor(a, name);
      if (descriptor === undefined || !descriptor.enumerable) return false;
      if (!this.equal(a[name], b[name])) return false;
    }
    switch (contents) {
      case kElements: return this.mode === kPartial ? this.hasElements(a, b) : this.equalElements(a, b);
      case kMembers: return this.equalSets(a, b);
      case kEntries: return this.equalMaps(a, b);
    }
    return true;
  }

  // ---- Arrays ----

  equalElements(a, b) {
    for (let i = 0; i < a.length; i++) {
      if (!hasOwn(b, i)) return this.equalSparse(a, b, i);
      if (!hasOwn(a, i) || !this.equal(a[i], b[i])) {
        if (this.mode !== kLoose || (a[i] ?? b[i] ?? null) !== null) return false;
      }
    }
    return true;
  }

  // From the first hole on, only existing elements are visited.
  equalSparse(a, b, from) {
    const names = keys(b);
    if (keys(a).length !== names.length) return false;
    for (let k = from; k < names.length; k++) {
      const name = names[k];
      if (!hasOwn(a, name) || !this.equal(a[name], b[name])) return false;
    }
    return true;
  }

  // Those of the right side in their order, with others in between. A hole is not there.
  hasElements(a, b) {
    const left = keys(a).filter(isIndex);
    const right = keys(b).filter(isIndex);
    let found = 0;
    for (let i = 0; i < left.length && found < right.length; i++) {
      if (this.equal(a[left[i]], b[right[found]])) found++;
      else if (left.length - i - 1 < right.length - found) return false;
    }
    return found === right.length;
  }

  // ---- Sets and maps ----

  equalSets(a, b) {
    // Primitives are looked up; what that does not settle must be matched one by one.
    const open = [];
    for (const member of b) {
      if (a.has(member)) continue;
      if (!isObject(member) && (this.mode !== kLoose || !mayHaveLooseTwin(a, b, member))) {
        return false;
      }
      open.push(member);
    }
    if (open.length === 0) return true;
    for (const member of a) {
      if (b.has(member)) continue;
      const at = open.findIndex((other) => this.equal(member, other));
      if (at !== -1) open.splice(at, 1);
      else if (this.mode !== kPartial) return false;
      if (open.length === 0) return true;
    }
    return false;
  }

  equalMaps(a, b) {
    const open = []; // keys of b
    for (const [key, value] of b) {
      if (isObject(key)) {
        open.push(key);
      } else if (!a.has(key) || !this.equal(a.get(key), value)) {
        if (this.mode !== kLoose || !mayHaveLooseTwin(a, b, key)) return false;
        open.push(key);
      }
    }
    if (open.length === 0) return true;
    for (const [key, value] of a) {
      if (!isObject(key) && this.isSettled(key, value, b)) continue;
      const at = open.findIndex((other) => this.equal(key, other) && this.equal(value, b.get(other)));
      if (at !== -1) open.splice(at, 1);
      else if (this.mode !== kPartial) return false;
    }
    return open.length === 0;
  }

  isSettled(key, value, b) {
    return this.mode !== kLoose || (b.has(key) && this.equal(value, b.get(key)));
  }
}

// ---- Questions ----

function haveSamePrototype(a, b) {
  const { constructor } = a;
  if (kStandard.has(constructor) || (constructor !== undefined && !hasOwn(a, 'constructor'))) {
    return constructor === b.constructor;
  }
  return getPrototypeOf(a) === getPrototypeOf(b);
}

function haveSameTag(a, b) {
  return a[Symbol.toStringTag] === b[Symbol.toStringTag];
}

function haveSameKind(a, b) {
  if (a[Symbol.toStringTag] !== undefined && b[Symbol.toStringTag] !== undefined) {
    return haveSameTag(a, b);
  }
  return toTag(a) === toTag(b);
}

function isEmpty(object, contents) {
  if (contents === kNothing) return true;
  return contents === kElements ? object.length === 0 : object.size === 0;
}

function isIndex(key) {
  return String(key >>> 0) === key && key >>> 0 !== 2 ** 32 - 1;
}

// Whether another primitive may be == to this one, and is not taken. A symbol or NaN equals only itself.
function mayHaveLooseTwin(a, b, primitive) {
  switch (typeof primitive) {
    case 'undefined': return a.has(null) && !b.has(null);
    case 'object': return a.has(undefined) && !b.has(undefined);
    case 'symbol': return false;
    case 'string': case 'number': return !Number.isNaN(Number(primitive));
  }
  return true;
}

function isError(value) {
  return types.isNativeError(value) || value instanceof Error;
}

function isURL(value) {
  return require('internal/url').isURL(value);
}

function holdsContents(value) {
  return isArray(value) || isView(value) || types.isSet(value) || types.isMap(value) ||
    types.isDate(value) || types.isRegExp(value) || types.isAnyArrayBuffer(value);
}

function addSymbols(names, object) {
  const symbols = getOwnPropertySymbols(object);
  for (let i = 0; i < symbols.length; i++) {
    if (isEnumerable(object, symbols[i])) names.push(symbols[i]);
  }
}

function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function equalBoxed(a, b) {
  if (types.isNumberObject(a)) {
    return types.isNumberObject(b) &&
      is(Number.prototype.valueOf.call(a), Number.prototype.valueOf.call(b));
  }
  for (const [check, { prototype }] of [[types.isStringObject, String], [types.isBooleanObject, Boolean],
    [types.isBigIntObject, BigInt], [types.isSymbolObject, Symbol]]) {
    if (check(a)) return check(b) && prototype.valueOf.call(a) === prototype.valueOf.call(b);
  }
  return false;
}

// ---- The functions ----

// Few values are circular: only once the stack has overflowed they are looked out for.
let expectsCycles = false;

function compare(a, b, mode) {
  if (!expectsCycles) {
    try {
      return new Comparison(mode).equal(a, b);
    } catch {
      expectsCycles = true;
    }
  }
  return new Comparison(mode, true).equal(a, b);
}

function isDeepEqual(a, b) {
  return compare(a, b, kLoose);
}

function isDeepStrictEqual(val1, val2, skipPrototype = false) {
  return compare(val1, val2, skipPrototype ? kStrictWithoutPrototypes : kStrict);
}

function isPartialStrictEqual(a, b) {
  return compare(a, b, kPartial);
}

module.exports = { isDeepEqual, isDeepStrictEqual, isPartialStrictEqual };
