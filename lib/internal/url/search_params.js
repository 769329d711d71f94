'use strict';
// URLSearchParams: the list of names and values in a query, and the urlencoded format.

const {
  codes: { ERR_ARG_NOT_ITERABLE, ERR_INVALID_THIS, ERR_INVALID_TUPLE, ERR_MISSING_ARGS },
} = require('internal/errors');
const { validateFunction } = require('internal/validators');
const { FORM, percentEncode, toUSVString } = require('internal/url/percent');

const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

// What `in` can be asked of.
function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function parseUrlencoded(text) {
  const list = [];
  for (let start = 0; start < text.length;) {
    let end = text.indexOf('&', start);
    if (end < 0) end = text.length;
    if (end > start) {
      let equals = text.indexOf('=', start);
      if (equals < 0 || equals > end) equals = end;
      list.push(decodePart(text.slice(start, equals)), equals < end ? decodePart(text.slice(equals + 1, end)) : '');
    }
    start = end + 1;
  }
  return list;
}

const anEscape = /%[0-9A-Fa-f]{2}/;

// Beside an escape that is not UTF-8, only the low byte of each character counts: so it is in Node.
function decodePart(part) {
  if (part.includes('+')) part = part.replaceAll('+', ' ');
  if (!part.includes('%') || !anEscape.test(part)) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return require('querystring').unescapeBuffer(part).toString();
  }
}

function serializeUrlencoded(list) {
  let out = '';
  for (let i = 0; i < list.length; i += 2) {
    if (i > 0) out += '&';
    out += percentEncode(list[i], FORM) + '=' + percentEncode(list[i + 1], FORM);
  }
  return out;
}

function listFromIterable(iterable, method) {
  if (typeof method !== 'function') throw new ERR_ARG_NOT_ITERABLE('Query pairs');
  const list = [];
  for (const pair of iterable) {
    const isObject = (typeof pair === 'object' && pair !== null) || typeof pair === 'function';
    if (!isObject || typeof pair[Symbol.iterator] !== 'function') {
      throw new ERR_INVALID_TUPLE('Each query pair', '[name, value]');
    }
    const length = list.length;
    for (const part of pair) list.push(toUSVString(part));
    if (list.length !== length + 2) throw new ERR_INVALID_TUPLE('Each query pair', '[name, value]');
  }
  return list;
}

// Of two names that become one by the conversion of lone surrogates, the first gives the position and the
// last the value, as in a WebIDL record.
function listFromRecord(record) {
  const list = [];
  const places = new Map();
  for (const key of Reflect.ownKeys(record)) {
    const descriptor = Reflect.getOwnPropertyDescriptor(record, key);
    if (descriptor === undefined || !descriptor.enumerable) continue;
    const name = toUSVString(key); // throws for a symbol
    const value = toUSVString(record[key]);
    const place = places.get(name);
    if (place === undefined) places.set(name, list.push(name, value) - 1);
    else list[place] = value;
  }
  return list;
}

// Set below, from inside the classes: what only this module may do with their private state.
let listOf;
let makeParams;
let reload;

class URLSearchParams {
  #list = [];
  #changed = null; // notifies the URL these belong to, if any

  static {
    listOf = (params) => params.#list;
    makeParams = (query, changed) => {
      const params = new URLSearchParams();
      params.#list = parseUrlencoded(query);
      params.#changed = changed;
      return params;
    };
    reload = (params, query) => {
      params.#list = parseUrlencoded(query);
    };
  }

  constructor(init = undefined) {
    if (init === undefined) return;
    if (init === null || (typeof init !== 'object' && typeof init !== 'function')) {
      const text = toUSVString(init);
      this.#list = parseUrlencoded(text.charCodeAt(0) === 0x3f ? text.slice(1) : text);
      return;
    }
    const method = init[Symbol.iterator];
    if (method === URLSearchParams.prototype[Symbol.iterator] && #list in init) this.#list = init.#list.slice();
    else if (method !== undefined && method !== null) this.#list = listFromIterable(init, method);
    else this.#list = listFromRecord(init);
  }

  [inspectCustom](recurseTimes, ctx) {
    checkThis(isObject(this) && #list in this);
    if (typeof recurseTimes === 'number' && recurseTimes < 0) return ctx.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = { ...ctx };
    if (recurseTimes !== null) inner.depth = recurseTimes - 1;
    const parts = [];
    for (let i = 0; i < this.#list.length; i += 2) {
      parts.push(`${inspect(this.#list[i], inner)} => ${inspect(this.#list[i + 1], inner)}`);
    }
    return layOut(this.constructor?.name || 'URLSearchParams', parts, ctx);
  }

  get size() {
    checkThis(isObject(this) && #list in this);
    return this.#list.length / 2;
  }

  append(name, value) {
    checkThis(isObject(this) && #list in this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    name = toUSVString(name);
    value = toUSVString(value); // which may be a function of the program that changes the list
    this.#list.push(name, value);
    this.#changed?.();
  }

  delete(name, value = undefined) {
    checkThis(isObject(this) && #list in this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    if (value !== undefined) value = toUSVString(value);
    const list = this.#list;
    let kept = 0;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) continue;
      list[kept++] = list[i];
      list[kept++] = list[i + 1];
    }
    list.length = kept;
    this.#changed?.();
  }

  get(name) {
    checkThis(isObject(this) && #list in this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name) return list[i + 1];
    }
    return null;
  }

  getAll(name) {
    checkThis(isObject(this) && #list in this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    const list = this.#list;
    const values = [];
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name) values.push(list[i + 1]);
    }
    return values;
  }

  has(name, value = undefined) {
    checkThis(isObject(this) && #list in this);
    if (arguments.length < 1) throw new ERR_MISSING_ARGS('name');
    name = toUSVString(name);
    if (value !== undefined) value = toUSVString(value);
    const list = this.#list;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && (value === undefined || list[i + 1] === value)) return true;
    }
    return false;
  }

  set(name, value) {
    checkThis(isObject(this) && #list in this);
    if (arguments.length < 2) throw new ERR_MISSING_ARGS('name', 'value');
    name = toUSVString(name);
    value = toUSVString(value);
    const list = this.#list;
    let found = false;
    let kept = 0;
    for (let i = 0; i < list.length; i += 2) {
      if (list[i] === name && found) continue;
      list[kept++] = list[i];
      list[kept++] = list[i] === name ? value : list[i + 1];
      if (list[i] === name) found = true;
    }
    list.length = kept;
    if (!found) list.push(name, value);
    this.#changed?.();
  }

  // By the code units of the names, pairs of one name in their order.
  sort() {
    checkThis(isObject(this) && #list in this);
    const list = this.#list;
    const pairs = [];
    for (let i = 0; i < list.length; i += 2) pairs.push([list[i], list[i + 1]]);
    pairs.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0));
    for (let i = 0; i < pairs.length; i++) {
      list[2 * i] = pairs[i][0];
      list[2 * i + 1] = pairs[i][1];
    }
    this.#changed?.();
  }

  entries() {
    checkThis(isObject(this) && #list in this);
    return new URLSearchParamsIterator(this, 'key+value');
  }

  forEach(callback, thisArg = undefined) {
    checkThis(isObject(this) && #list in this);
    validateFunction(callback, 'callback');
    for (let i = 0; i < this.#list.length; i += 2) {
      Reflect.apply(callback, thisArg, [this.#list[i + 1], this.#list[i], this]);
    }
  }

  keys() {
    checkThis(isObject(this) && #list in this);
    return new URLSearchParamsIterator(this, 'key');
  }

  values() {
    checkThis(isObject(this) && #list in this);
    return new URLSearchParamsIterator(this, 'value');
  }

  toString() {
    checkThis(isObject(this) && #list in this);
    return serializeUrlencoded(this.#list);
  }
}

function checkThis(is) {
  if (!is) throw new ERR_INVALID_THIS('URLSearchParams');
}

// On one line if it fits, and otherwise one part a line.
function layOut(name, parts, ctx) {
  if (parts.length === 0) return `${name} {}`;
  const length = parts.reduce((sum, part) => sum + withoutColors(part).length + 2, -2);
  if (length <= ctx.breakLength) return `${name} { ${parts.join(', ')} }`;
  return `${name} {\n  ${parts.join(',\n  ')} }`;
}

function withoutColors(text) {
  return text.replace(/\u001b\[\d\d?m/g, '');
}

class URLSearchParamsIterator {
  #params;
  #kind;
  #index = 0;

  constructor(params, kind) {
    this.#params = params;
    this.#kind = kind;
  }

  next() {
    if (typeof this !== 'object' || this === null || !(#params in this)) {
      throw new ERR_INVALID_THIS('URLSearchParamsIterator');
    }
    const list = listOf(this.#params);
    const index = this.#index;
    if (index >= list.length) return { value: undefined, done: true };
    this.#index += 2;
    return { value: this.#item(list, index), done: false };
  }

  #item(list, index) {
    if (this.#kind === 'key') return list[index];
    return this.#kind === 'value' ? list[index + 1] : [list[index], list[index + 1]];
  }

  [inspectCustom](recurseTimes, ctx) {
    if (!this || typeof this !== 'object' || !(#params in this)) {
      throw new ERR_INVALID_THIS('URLSearchParamsIterator');
    }
    if (typeof recurseTimes === 'number' && recurseTimes < 0) return ctx.stylize('[Object]', 'special');
    const { inspect } = require('internal/util/inspect');
    const inner = { ...ctx };
    if (recurseTimes !== null) inner.depth = recurseTimes - 1;
    const list = listOf(this.#params);
    const items = [];
    for (let i = this.#index; i < list.length; i += 2) items.push(this.#item(list, i));
    const parts = items.map((item) => inspect(item, inner));
    const name = ctx.stylize(this[Symbol.toStringTag], 'special');
    // It takes several lines where an array of the items would.
    if (inspect(items, inner).includes('\n')) return `${name} {\n  ${parts.join(',\n  ')} }`;
    return `${name} { ${parts.join(', ')} }`;
  }
}

const enumerable = { __proto__: null, enumerable: true };

Object.defineProperties(URLSearchParams.prototype, {
  size: enumerable,
  append: enumerable,
  delete: enumerable,
  get: enumerable,
  getAll: enumerable,
  has: enumerable,
  set: enumerable,
  sort: enumerable,
  entries: enumerable,
  forEach: enumerable,
  keys: enumerable,
  values: enumerable,
  toString: enumerable,
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URLSearchParams' },
  [Symbol.iterator]: {
    __proto__: null, configurable: true, writable: true, value: URLSearchParams.prototype.entries,
  },
});

const iteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()));
Object.setPrototypeOf(URLSearchParamsIterator.prototype, iteratorPrototype);
delete URLSearchParamsIterator.prototype.constructor;
Object.defineProperties(URLSearchParamsIterator.prototype, {
  next: enumerable,
  [Symbol.toStringTag]: { __proto__: null, configurable: true, value: 'URLSearchParams Iterator' },
});

module.exports = { URLSearchParams, makeParams, reload, serialize: (params) => serializeUrlencoded(listOf(params)) };
