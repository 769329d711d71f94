'use strict';
// Deep equality, strict (Object.is, same prototypes) and loose (==), for util.isDeepStrictEqual and assert.

const {
  constants: { ONLY_ENUMERABLE, SKIP_SYMBOLS },
  getOwnNonIndexProperties,
} = binding('util');
const types = require('internal/util/types');

const { hasOwn } = Object;
const timeOf = Function.prototype.call.bind(Date.prototype.getTime);
const isEnumerable = Function.prototype.call.bind(Object.prototype.propertyIsEnumerable);
const toTag = Function.prototype.call.bind(Object.prototype.toString);
const typedArrayName = Function.prototype.call.bind(
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag).get);

// What an object holds besides its properties.
const kNothing = 0;
const kElements = 1;
const kSetMembers = 2;
const kMapEntries = 3;

function isObject(value) {
  return value !== null && typeof value === 'object';
}

class Comparison {
  constructor(strict) {
    this.strict = strict;
    // Objects the comparison is inside of. Where both sides close a cycle there is nothing more to
    // compare, wherever the cycles lead, as in Node.
    this.lefts = undefined;
    this.rights = undefined;
  }

  equal(a, b) {
    if (a === b) return a !== 0 || !this.strict || Object.is(a, b);
    if (this.strict) {
      if (typeof a !== 'object') return typeof a === 'number' && a !== a && b !== b;
      if (!isObject(a) || !isObject(b)) return false;
      if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    } else {
      if (!isObject(a)) {
        // eslint-disable-next-line eqeqeq
        return !isObject(b) && (a == b || (a !== a && b !== b));
      }
      if (!isObject(b)) return false;
    }
    if (toTag(a) !== toTag(b)) return false;
    return this.equalObjects(a, b);
  }

  equalObjects(a, b) {
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      return this.equalLists(a, b, kElements);
    }
    const tag = toTag(a);
    if (tag === '[object Object]') return this.equalContents(a, b, kNothing);
    if (tag === '[object URL]' && typeof a.href === 'string' && a.href !== b.href) return false;
    if (types.isDate(a)) {
      if (!types.isDate(b) || timeOf(a) !== timeOf(b)) return false;
    } else if (types.isRegExp(a)) {
      if (!types.isRegExp(b) || a.source !== b.source || a.flags !== b.flags ||
          a.lastIndex !== b.lastIndex) return false;
    } else if (isError(a)) {
      if (!this.equalErrors(a, b)) return false;
    } else if (ArrayBuffer.isView(a)) {
      if (!this.equalViews(a, b)) return false;
      return this.equalLists(a, b, kNothing);
    } else if (types.isSet(a)) {
      if (!types.isSet(b) || a.size !== b.size) return false;
      return this.equalContents(a, b, kSetMembers);
    } else if (types.isMap(a)) {
      if (!types.isMap(b) || a.size !== b.size) return false;
      return this.equalContents(a, b, kMapEntries);
    } else if (types.isAnyArrayBuffer(a)) {
      if (!types.isAnyArrayBuffer(b) || !equalBytes(new Uint8Array(a), new Uint8Array(b))) return false;
    } else if (types.isBoxedPrimitive(a)) {
      if (!equalBoxed(a, b)) return false;
    } else if (hasContents(b)) {
      return false;
    } else if (types.isKeyObject(a) || types.isCryptoKey(a)) {
      if (!this.equalKeys(a, b)) return false;
    }
    return this.equalContents(a, b, kNothing);
  }

  // Message, name, cause and errors count although they are not enumerable.
  equalErrors(a, b) {
    if (!isError(b) || !this.equal(a.message, b.message) || !this.equal(a.name, b.name)) return false;
    return this.equalHidden(a, b, 'cause') && this.equalHidden(a, b, 'errors');
  }

  equalHidden(a, b, key) {
    // Enumerable ones are compared with the other properties.
    if (isEnumerable(a, key) !== isEnumerable(b, key)) return false;
    return isEnumerable(a, key) || this.equal(a[key], b[key]);
  }

  equalKeys(a, b) {
    if (types.isKeyObject(a)) return types.isKeyObject(b) && a.equals(b);
    return types.isCryptoKey(b) && a.extractable === b.extractable && a.type === b.type &&
      this.equal(a.algorithm, b.algorithm) && this.equal(a.usages, b.usages);
  }

  equalViews(a, b) {
    const name = typedArrayName(a);
    if (!ArrayBuffer.isView(b) || name !== typedArrayName(b)) return false;
    if (!this.strict && (name === 'Float32Array' || name === 'Float64Array')) {
      // Loosely, 0 and -0 are the same.
      return a.byteLength === b.byteLength && a.every((element, i) => element === b[i]);
    }
    return equalBytes(bytesOf(a), bytesOf(b));
  }

  // Arrays: the elements by index, and the other keys as properties.
  equalLists(a, b, contents) {
    const filter = this.strict ? ONLY_ENUMERABLE : ONLY_ENUMERABLE | SKIP_SYMBOLS;
    const keys = getOwnNonIndexProperties(a, filter);
    if (keys.length !== getOwnNonIndexProperties(b, filter).length) return false;
    return this.equalContents(a, b, contents, keys);
  }

  equalContents(a, b, contents, keys) {
    if (keys === undefined) {
      keys = Object.keys(a);
      if (keys.length !== Object.keys(b).length) return false;
    }
    for (const key of keys) if (!isEnumerable(b, key)) return false;
    if (this.strict && contents !== kElements && !ArrayBuffer.isView(a)) {
      const symbols = enumerableSymbols(a);
      if (symbols.length !== enumerableSymbols(b).length) return false;
      for (const symbol of symbols) if (!isEnumerable(b, symbol)) return false;
      if (symbols.length !== 0) keys = keys.concat(symbols);
    }
    if (keys.length === 0 && (contents === kNothing || (contents === kElements && a.length === 0) ||
        a.size === 0)) {
      return true;
    }
    return this.guarded(a, b, contents, keys);
  }

  guarded(a, b, contents, keys) {
    this.lefts ??= new Set();
    this.rights ??= new Set();
    const seenLeft = this.lefts.has(a);
    const seenRight = this.rights.has(b);
    if (seenLeft && seenRight) return true;
    this.lefts.add(a);
    this.rights.add(b);
    const equal = this.equalInside(a, b, contents, keys);
    if (!seenLeft) this.lefts.delete(a);
    if (!seenRight) this.rights.delete(b);
    return equal;
  }

  equalInside(a, b, contents, keys) {
    if (contents === kSetMembers) {
      if (!this.equalSets(a, b)) return false;
    } else if (contents === kMapEntries) {
      if (!this.equalMaps(a, b)) return false;
    } else if (contents === kElements && !this.equalElements(a, b)) {
      return false;
    }
    for (const key of keys) if (!this.equal(a[key], b[key])) return false;
    return true;
  }

  equalElements(a, b) {
    for (let i = 0; i < a.length; i++) {
      if (!hasOwn(a, i)) return this.equalSparse(a, b, i);
      if (!hasOwn(b, i) || !this.equal(a[i], b[i])) return false;
    }
    return true;
  }

  // From the first hole on, only what is there is visited.
  equalSparse(a, b, from) {
    if (hasOwn(b, from)) return false;
    const keys = Object.keys(a);
    for (let k = from; k < keys.length; k++) {
      const key = keys[k];
      if (!hasOwn(b, key) || !this.equal(a[key], b[key])) return false;
    }
    return keys.length === Object.keys(b).length;
  }

  equalSets(a, b) {
    // Primitives are looked up; what that does not settle must be matched one by one.
    const open = new Set();
    for (const member of a) {
      if (isObject(member) || typeof member === 'function') {
        if (!b.has(member)) open.add(member);
      } else if (!b.has(member)) {
        if (this.strict || !mayHaveLooseTwin(member)) return false;
        open.add(member);
      }
    }
    if (open.size === 0) return true;
    let candidates = 0;
    for (const member of b) {
      if (a.has(member)) continue;
      candidates++;
      if (!this.takeEqual(open, member)) return false;
    }
    return candidates === 0 || open.size === 0;
  }

  takeEqual(open, member) {
    for (const candidate of open) {
      if (this.equal(candidate, member)) {
        open.delete(candidate);
        return true;
      }
    }
    return false;
  }

  equalMaps(a, b) {
    const open = new Map();
    for (const [key, value] of a) {
      if (isObject(key)) {
        open.set(key, value);
      } else if (!b.has(key) || !this.equal(value, b.get(key))) {
        if (this.strict || !mayHaveLooseTwin(key)) return false;
        open.set(key, value);
      }
    }
    if (open.size === 0) return true;
    for (const [key, value] of b) {
      if (isObject(key)) {
        if (!this.takeEqualEntry(open, key, value)) return false;
      } else if (!this.strict && !(a.has(key) && this.equal(a.get(key), value)) &&
                 !this.takeEqualEntry(open, key, value)) {
        return false;
      }
    }
    return open.size === 0;
  }

  takeEqualEntry(open, key, value) {
    for (const [candidate, candidateValue] of open) {
      if (this.equal(candidate, key) && this.equal(candidateValue, value)) {
        open.delete(candidate);
        return true;
      }
    }
    return false;
  }
}

// Whether another primitive may be == to this one. A symbol or NaN equals only itself.
function mayHaveLooseTwin(primitive) {
  return typeof primitive !== 'symbol' && typeof primitive !== 'function' && primitive === primitive;
}

function isError(value) {
  return types.isNativeError(value) || value instanceof Error;
}

function hasContents(value) {
  return Array.isArray(value) || ArrayBuffer.isView(value) || types.isSet(value) || types.isMap(value) ||
    types.isDate(value) || types.isRegExp(value) || types.isAnyArrayBuffer(value) ||
    types.isBoxedPrimitive(value) || isError(value);
}

function enumerableSymbols(object) {
  const symbols = Object.getOwnPropertySymbols(object);
  return symbols.length === 0 ? symbols : symbols.filter((symbol) => isEnumerable(object, symbol));
}

function bytesOf(view) {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function equalBytes(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function equalBoxed(a, b) {
  if (types.isNumberObject(a)) {
    return types.isNumberObject(b) &&
      Object.is(Number.prototype.valueOf.call(a), Number.prototype.valueOf.call(b));
  }
  for (const [check, { prototype }] of [[types.isStringObject, String], [types.isBooleanObject, Boolean],
    [types.isBigIntObject, BigInt], [types.isSymbolObject, Symbol]]) {
    if (check(a)) return check(b) && prototype.valueOf.call(a) === prototype.valueOf.call(b);
  }
  return false;
}

function isDeepEqual(a, b) {
  return new Comparison(false).equal(a, b);
}

function isDeepStrictEqual(val1, val2) {
  return new Comparison(true).equal(val1, val2);
}

module.exports = { isDeepEqual, isDeepStrictEqual };
