'use strict';
// The formatting of any value. One Inspection goes through a whole tree of objects; `depth` is the level of
// the value being formatted, `ctx.indentation` the column its next line starts at.

const {
  constants: { ALL_PROPERTIES, ONLY_ENUMERABLE, kPending, kRejected },
  getExternalValue,
  getOwnNonIndexProperties,
  getPromiseDetails,
  getProxyDetails,
  previewEntries,
} = binding('util');
const types = require('internal/util/types');
const text = require('internal/inspect/text');
const names = require('internal/inspect/names');
const { errorText, isError } = require('internal/inspect/errors');
const { joinEntries } = require('internal/inspect/layout');

// As they were, whatever users do to Object.
const {
  getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols, getPrototypeOf, hasOwn, keys: keysOf,
} = Object;
const kCustom = Symbol.for('nodejs.util.inspect.custom');

// How an entry is written: `key: value`, an element without a key, or an array's additional property.
const kProperty = 0;
const kElement = 1;
const kArrayProperty = 2;

const kIdentifier = /^[a-zA-Z_][a-zA-Z_0-9]*$/;
const kShortestSplitString = 16;
const kMostOutput = 2 ** 27; // beyond that much text per level, deeper levels are cut off

const noColor = (string) => string;

// The public function, for custom inspectors; set by internal/util/inspect to avoid a cycle.
let inspect;

function setInspect(fn) {
  inspect = fn;
}

// ---- primitives ----

function formatNumber(stylize, number, numericSeparator) {
  return stylize(text.numberText(number, numericSeparator), 'number');
}

function formatBigInt(stylize, bigint, numericSeparator) {
  return stylize(text.bigintText(bigint, numericSeparator), 'bigint');
}

function formatString(stylize, string, ctx) {
  let trailer = '';
  if (string.length > ctx.maxStringLength) {
    const left = string.length - ctx.maxStringLength;
    string = string.slice(0, ctx.maxStringLength);
    trailer = `... ${left} more character${text.plural(left)}`;
  }
  // A long string is split into lines, after its own line breaks.
  if (ctx.compact !== true && string.length > kShortestSplitString &&
      string.length > ctx.breakLength - ctx.indentation - 4) {
    return string.split(/(?<=\n)/)
      .map((line) => stylize(text.quote(line), 'string'))
      .join(` +\n${' '.repeat(ctx.indentation + 2)}`) + trailer;
  }
  return stylize(text.quote(string), 'string') + trailer;
}

function formatPrimitive(stylize, value, ctx) {
  switch (typeof value) {
    case 'string': return formatString(stylize, value, ctx);
    case 'number': return formatNumber(stylize, value, ctx.numericSeparator);
    case 'bigint': return formatBigInt(stylize, value, ctx.numericSeparator);
    case 'boolean': return stylize(`${value}`, 'boolean');
    case 'undefined': return stylize('undefined', 'undefined');
    default: return stylize(Symbol.prototype.toString.call(value), 'symbol');
  }
}

// ---- any value ----

function formatValue(ctx, value, depth, insideTypedArray) {
  if (typeof value !== 'object' && typeof value !== 'function') {
    return formatPrimitive(ctx.stylize, value, ctx);
  }
  if (value === null) return ctx.stylize('null', 'null');

  const original = value;
  let proxies = 0;
  let proxied = getProxyDetails(value, !!ctx.showProxy);
  if (proxied !== undefined) {
    if (ctx.showProxy) {
      if (proxied[0] === null) return ctx.stylize('<Revoked Proxy>', 'special');
      return formatProxy(ctx, proxied, depth);
    }
    do {
      if (proxied === null) return insideProxies(ctx, ctx.stylize('<Revoked Proxy>', 'special'), proxies);
      value = proxied;
      proxied = getProxyDetails(value, false);
      proxies++;
    } while (proxied !== undefined);
  }
  if (ctx.customInspect) {
    const custom = value[kCustom];
    if (typeof custom === 'function' && custom !== inspect && !isPrototypeObject(value)) {
      const result = callCustom(ctx, custom, original, proxies !== 0, depth);
      if (result !== original) {
        if (typeof result !== 'string') return formatValue(ctx, result, depth);
        return result.replaceAll('\n', `\n${' '.repeat(ctx.indentation)}`);
      }
    }
  }
  if (ctx.seen.includes(value)) return circularReference(ctx, value);
  return insideProxies(ctx, formatObject(ctx, value, depth, insideTypedArray), proxies);
}

function insideProxies(ctx, shown, count) {
  for (let i = 0; i < count; i++) {
    shown = `${ctx.stylize('Proxy(', 'special')}${shown}${ctx.stylize(')', 'special')}`;
  }
  return shown;
}

// A class's prototype inherits the custom inspector but is not an instance.
function isPrototypeObject(value) {
  return getOwnPropertyDescriptor(value, 'constructor')?.value?.prototype === value;
}

function callCustom(ctx, custom, value, isProxy, depth) {
  const levelsLeft = ctx.depth === null ? null : ctx.depth - depth;
  const isForeign = isProxy || !isObjectHere(value);
  return custom.call(value, levelsLeft, optionsForCustom(ctx, isForeign), inspect);
}

const isObjectHere = Function.prototype[Symbol.hasInstance].bind(Object);

function optionsForCustom(ctx, isForeign) {
  const options = {
    stylize: ctx.stylize,
    showHidden: ctx.showHidden,
    depth: ctx.depth,
    colors: ctx.colors,
    customInspect: ctx.customInspect,
    showProxy: ctx.showProxy,
    maxArrayLength: ctx.maxArrayLength,
    maxStringLength: ctx.maxStringLength,
    breakLength: ctx.breakLength,
    compact: ctx.compact,
    sorted: ctx.sorted,
    getters: ctx.getters,
    numericSeparator: ctx.numericSeparator,
    ...ctx.userOptions,
  };
  if (!isForeign) return options;
  // Code of another context must not reach this context's objects through the options.
  Object.setPrototypeOf(options, null);
  for (const key of keysOf(options)) {
    const type = typeof options[key];
    if ((type === 'object' || type === 'function') && options[key] !== null) delete options[key];
  }
  options.stylize = Object.setPrototypeOf((value, style) => {
    let stylized;
    try {
      stylized = `${ctx.stylize(value, style)}`;
    } catch {
      // Then without style.
    }
    return typeof stylized === 'string' ? stylized : value;
  }, null);
  return options;
}

function circularReference(ctx, value) {
  ctx.circular ??= new Map();
  let index = ctx.circular.get(value);
  if (index === undefined) {
    index = ctx.circular.size + 1;
    ctx.circular.set(value, index);
  }
  return ctx.stylize(`[Circular *${index}]`, 'special');
}

function formatProxy(ctx, [target, handler], depth) {
  if (ctx.depth !== null && depth > ctx.depth) return ctx.stylize('Proxy [Array]', 'special');
  depth++;
  ctx.indentation += 2;
  const output = [formatValue(ctx, target, depth), formatValue(ctx, handler, depth)];
  ctx.indentation -= 2;
  return joinEntries(ctx, output, '', ['Proxy [', ']'], true, depth);
}

// ---- objects ----

function ownKeys(value, showHidden) {
  const symbols = getOwnPropertySymbols(value);
  if (showHidden) return getOwnPropertyNames(value).concat(symbols);
  let keys;
  try {
    keys = keysOf(value);
  } catch (error) {
    // A module namespace with bindings that are not initialised yet.
    if (!types.isModuleNamespaceObject(value)) throw error;
    keys = getOwnPropertyNames(value);
  }
  if (symbols.length === 0) return keys;
  return keys.concat(symbols.filter((symbol) =>
    Object.prototype.propertyIsEnumerable.call(value, symbol)));
}

function nonIndexKeys(ctx, value) {
  return getOwnNonIndexProperties(value, ctx.showHidden ? ALL_PROPERTIES : ONLY_ENUMERABLE);
}

// The properties of user-made prototypes, at most three levels up, for showHidden.
function formatPrototypeProperties(ctx, main, start, depth, output) {
  let object = start;
  const listed = new Set();
  let keys = [];
  for (let level = 0; level < 3; level++) {
    if (level !== 0 || main === object) {
      object = getPrototypeOf(object);
      if (object === null) break;
      const constructor = names.ownConstructor(object);
      if (constructor !== undefined && names.isBuiltinConstructor(constructor.name)) break;
    }
    if (level !== 0) keys.forEach((key) => listed.add(key));
    keys = Reflect.ownKeys(object);
    ctx.seen.push(main);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i];
      if (key === 'constructor' || hasOwn(main, key) || listed.has(key)) continue;
      const descriptor = getOwnPropertyDescriptor(object, key);
      if (typeof descriptor.value === 'function') continue;
      const entry = formatProperty(ctx, object, depth, key, kProperty, descriptor, main);
      output.push(ctx.colors ? `\u001b[2m${entry}\u001b[22m` : entry);
    }
    ctx.seen.pop();
  }
}

// What is to be printed of an object. `base` is the text before the braces; `entries` makes the list inside
// them, before the properties named by `keys`; `extraKeys` are those of its prototype that are shown too;
// `done` is the whole text when there is nothing inside.
class Shape {
  constructor(keys, opening, closing) {
    this.keys = keys;
    this.base = '';
    this.braces = [opening, closing];
    this.entries = noEntries;
    this.keyStyle = kProperty;
    this.extraKeys = undefined;
    this.done = undefined;
  }
}

const noEntries = () => [];

function formatObject(ctx, value, depth, insideTypedArray) {
  let prototypeEntries;
  let onFound;
  if (ctx.showHidden && (ctx.depth === null || depth <= ctx.depth)) {
    prototypeEntries = [];
    onFound = (main, start) => formatPrototypeProperties(ctx, main, start, depth, prototypeEntries);
  }
  const constructor = names.constructorName(value, ctx, depth, inspect, onFound);
  if (prototypeEntries !== undefined && prototypeEntries.length === 0) prototypeEntries = undefined;
  const tag = names.tagOf(value, ctx.showHidden);

  const isBare = prototypeEntries === undefined;
  const shape = iterableShape(ctx, value, constructor, tag, isBare) ??
    otherShape(ctx, value, constructor, tag, isBare, depth, insideTypedArray);
  if (shape.done !== undefined) return shape.done;

  if (ctx.depth !== null && depth > ctx.depth) {
    return ctx.stylize(names.brief(value, constructor, tag), 'special');
  }
  return formatShape(ctx, value, depth + 1, shape, prototypeEntries, constructor, tag);
}

function formatShape(ctx, value, depth, shape, prototypeEntries, constructor, tag) {
  const { keys, braces, keyStyle } = shape;
  ctx.seen.push(value);
  ctx.currentDepth = depth;
  let output;
  const indentation = ctx.indentation;
  try {
    output = shape.entries(ctx, value, depth, shape);
    if (shape.extraKeys !== undefined) {
      const { extraKeys } = shape;
      for (let i = 0; i < extraKeys.length; i++) output.push(formatExtra(ctx, value, depth, extraKeys[i], keyStyle));
    }
    for (let i = 0; i < keys.length; i++) output.push(formatProperty(ctx, value, depth, keys[i], keyStyle));
    if (prototypeEntries !== undefined) for (let i = 0; i < prototypeEntries.length; i++) output.push(prototypeEntries[i]);
  } catch (error) {
    if (!require('internal/errors').isStackOverflowError(error)) throw error;
    const name = names.brief(value, constructor, tag).slice(1, -1);
    ctx.seen.pop();
    ctx.indentation = indentation;
    return ctx.stylize(
      `[${name}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`, 'special');
  }
  let { base } = shape;
  if (ctx.circular !== undefined) {
    const index = ctx.circular.get(value);
    if (index !== undefined) {
      const reference = ctx.stylize(`<ref *${index}>`, 'special');
      if (ctx.compact === true) braces[0] = `${reference} ${braces[0]}`;
      else base = base === '' ? reference : `${reference} ${base}`;
    }
  }
  ctx.seen.pop();
  if (ctx.sorted) sortEntries(ctx, output, keyStyle === kProperty ? output.length : keys.length);

  const result = joinEntries(ctx, output, base, braces, keyStyle === kArrayProperty, depth, value);
  const written = (ctx.budget[ctx.indentation] || 0) + result.length;
  ctx.budget[ctx.indentation] = written;
  if (written > kMostOutput) ctx.depth = -1;
  return result;
}

// The elements of arrays stay in place: only the last `count` entries are sorted.
function sortEntries(ctx, output, count) {
  const compare = ctx.sorted === true ? undefined : ctx.sorted;
  if (count === output.length) {
    output.sort(compare);
  } else if (count > 1) {
    const sorted = output.slice(output.length - count).sort(compare);
    output.splice(output.length - count, count, ...sorted);
  }
}

// ---- the kinds of objects that are iterable (or have lost their prototype) ----

function iterableShape(ctx, value, constructor, tag, isBare) {
  if (!(Symbol.iterator in value) && constructor !== null) return undefined;
  if (Array.isArray(value)) {
    const keys = nonIndexKeys(ctx, value);
    const prefix = constructor !== 'Array' || tag !== '' ?
      names.prefix(constructor, tag, 'Array', `(${value.length})`) : '';
    return listShape(keys, prefix, value.length, formatArray, isBare);
  }
  if (types.isSet(value)) {
    const size = setSize(value);
    const prefix = names.prefix(constructor, tag, 'Set', `(${size})`);
    return collectionShape(ctx, value, prefix, size, formatSet, isBare);
  }
  if (types.isMap(value)) {
    const size = mapSize(value);
    const prefix = names.prefix(constructor, tag, 'Map', `(${size})`);
    return collectionShape(ctx, value, prefix, size, formatMap, isBare);
  }
  if (types.isTypedArray(value)) {
    const length = typedArrayLength(value);
    const fallback = constructor === null ? typedArrayName(value) : '';
    const prefix = names.prefix(constructor, tag, fallback, `(${length})`);
    const isEmpty = isBare && !ctx.showHidden;
    const shape = listShape(nonIndexKeys(ctx, value), prefix, length, formatTypedArray, isEmpty);
    if (ctx.showHidden) shape.extraKeys = ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer'];
    return shape;
  }
  if (types.isMapIterator(value)) return iteratorShape(ctx, value, 'Map', tag);
  if (types.isSetIterator(value)) return iteratorShape(ctx, value, 'Set', tag);
  return undefined;
}

const setSize = uncurry(getOwnPropertyDescriptor(Set.prototype, 'size').get);
const mapSize = uncurry(getOwnPropertyDescriptor(Map.prototype, 'size').get);
const kTypedArray = getPrototypeOf(Uint8Array.prototype);
const typedArrayLength = uncurry(getOwnPropertyDescriptor(kTypedArray, 'length').get);
const typedArrayName = uncurry(getOwnPropertyDescriptor(kTypedArray, Symbol.toStringTag).get);
const setValues = uncurry(Set.prototype.values);
const mapEntries = uncurry(Map.prototype.entries);
// Not for...of, whose methods a program may have taken away.
const nextOfSet = uncurry(Object.getPrototypeOf(new Set().values()).next);
const nextOfMap = uncurry(Object.getPrototypeOf(new Map().entries()).next);

// A method as a function of its receiver, whatever users do to prototypes later.
function uncurry(method) {
  return Function.prototype.call.bind(method);
}

function listShape(keys, prefix, length, entries, isBare) {
  const shape = new Shape(keys, `${prefix}[`, ']');
  shape.entries = entries;
  shape.keyStyle = kArrayProperty;
  if (length === 0 && keys.length === 0 && isBare) shape.done = `${prefix}[]`;
  return shape;
}

function collectionShape(ctx, value, prefix, size, entries, isBare) {
  const keys = ownKeys(value, ctx.showHidden);
  const shape = new Shape(keys, `${prefix}{`, '}');
  shape.entries = entries;
  if (size === 0 && keys.length === 0 && isBare) shape.done = `${prefix}{}`;
  return shape;
}

function iteratorShape(ctx, value, type, tag) {
  const own = `${type} Iterator`;
  const label = tag === own || tag === '' ? own : `${tag}] [${own}`;
  const shape = new Shape(ownKeys(value, ctx.showHidden), `[${label}] {`, '}');
  shape.entries = formatIterator;
  return shape;
}

// ---- all other kinds ----

function otherShape(ctx, value, constructor, tag, isBare, depth, insideTypedArray) {
  const keys = ownKeys(value, ctx.showHidden);
  const shape = new Shape(keys, '{', '}');
  if (constructor === 'Object' && typeof value !== 'function') {
    if (types.isArgumentsObject(value)) shape.braces[0] = '[Arguments] {';
    else if (tag !== '') shape.braces[0] = `${names.prefix(constructor, tag, 'Object')}{`;
    if (keys.length === 0 && isBare) shape.done = `${shape.braces[0]}}`;
    return shape;
  }

  const open = (fallback, entries) => {
    shape.braces[0] = `${names.prefix(constructor, tag, fallback)}{`;
    if (entries !== undefined) shape.entries = entries;
    return shape;
  };
  // Text before the braces, and no braces when there is nothing to put in them.
  const based = (base, style) => {
    shape.base = base;
    if (shape.keys.length === 0 && isBare) shape.done = style ? ctx.stylize(base, style) : base;
    return shape;
  };

  if (typeof value === 'function') return based(functionBase(ctx, value, constructor, tag), 'special');
  if (types.isRegExp(value)) {
    const source = RegExp.prototype.toString.call(constructor === null ? new RegExp(value) : value);
    based(ctx.stylize(withPrefix(source, constructor, tag, 'RegExp'), 'regexp'));
    if (shape.done === undefined && ctx.depth !== null && depth > ctx.depth) shape.done = shape.base;
    return shape;
  }
  if (types.isDate(value)) {
    const date = Number.isNaN(Date.prototype.getTime.call(value)) ?
      Date.prototype.toString.call(value) : Date.prototype.toISOString.call(value);
    return based(withPrefix(date, constructor, tag, 'Date'), 'date');
  }
  if (isError(value)) return based(errorText(ctx, value, constructor, tag, keys, formatValue));
  if (types.isAnyArrayBuffer(value)) {
    return arrayBufferShape(ctx, value, constructor, tag, shape, insideTypedArray);
  }
  if (types.isDataView(value)) {
    // These are on the prototype, but what a DataView is about.
    shape.extraKeys = ['byteLength', 'byteOffset', 'buffer'];
    return open('DataView');
  }
  if (types.isPromise(value)) return open('Promise', formatPromise);
  if (types.isWeakSet(value)) return open('WeakSet', ctx.showHidden ? formatWeakSet : formatWeak);
  if (types.isWeakMap(value)) return open('WeakMap', ctx.showHidden ? formatWeakMap : formatWeak);
  if (types.isModuleNamespaceObject(value)) return open('Module', formatNamespace);
  if (types.isBoxedPrimitive(value)) {
    return based(boxedBase(ctx, value, constructor, tag, keys));
  }
  if ((ctx.depth === null || depth <= ctx.depth) && isURL(value)) return based(value.href);
  if (keys.length === 0 && isBare) {
    if (types.isExternal(value)) {
      const address = getExternalValue(value).toString(16);
      shape.done = ctx.stylize(`[External: ${address}]`, 'special');
    } else {
      shape.done = `${names.objectPrefix(value, constructor, tag)}{}`;
    }
    return shape;
  }
  shape.braces[0] = `${names.objectPrefix(value, constructor, tag)}{`;
  return shape;
}

function isURL(value) {
  return typeof value.href === 'string' && value instanceof require('internal/url').URL;
}

function withPrefix(base, constructor, tag, type) {
  const prefix = names.prefix(constructor, tag, type);
  return prefix === `${type} ` ? base : prefix + base;
}

function arrayBufferShape(ctx, value, constructor, tag, shape, insideTypedArray) {
  const type = types.isArrayBuffer(value) ? 'ArrayBuffer' : 'SharedArrayBuffer';
  const prefix = names.prefix(constructor, tag, type);
  if (!insideTypedArray) {
    shape.entries = formatArrayBuffer;
  } else if (shape.keys.length === 0) {
    const length = formatNumber(ctx.stylize, value.byteLength, false);
    shape.done = `${prefix}{ [byteLength]: ${length} }`;
    return shape;
  }
  shape.braces[0] = `${prefix}{`;
  shape.extraKeys = ['byteLength'];
  return shape;
}

// A class is distinguished from other functions by its source: nothing is called between `class` and its body.
function isClass(source) {
  if (!source.startsWith('class') || !source.endsWith('}')) return false;
  const head = source.slice(0, source.indexOf('{'));
  if (!head.includes('(')) return true;
  // Comments may contain anything.
  const code = source.replace(/\/\/.*|\/\*[^]*?\*\//g, '');
  return !code.slice(0, code.indexOf('{')).includes('(');
}

function functionBase(ctx, value, constructor, tag) {
  const extraTag = tag !== '' && constructor !== tag ? ` [${tag}]` : '';
  if (isClass(Function.prototype.toString.call(value))) {
    const name = (hasOwn(value, 'name') && value.name) || '(anonymous)';
    let base = `[class ${name}`;
    if (constructor !== 'Function' && constructor !== null) base += ` [${constructor}]`;
    base += extraTag;
    if (constructor === null) return `${base} extends [null prototype]]`;
    const parent = getPrototypeOf(value).name;
    return parent ? `${base} extends ${parent}]` : `${base}]`;
  }
  let type = 'Function';
  if (types.isGeneratorFunction(value)) type = `Generator${type}`;
  if (types.isAsyncFunction(value)) type = `Async${type}`;
  let base = `[${type}`;
  if (constructor === null) base += ' (null prototype)';
  const { name } = value;
  if (name === '') base += ' (anonymous)]';
  else base += `: ${typeof name === 'string' ? name : formatValue(ctx, name, undefined)}]`;
  if (constructor !== type && constructor !== null) base += ` ${constructor}`;
  return base + extraTag;
}

function boxedBase(ctx, value, constructor, tag, keys) {
  let type;
  let primitive;
  if (types.isNumberObject(value)) {
    type = 'Number';
    primitive = Number.prototype.valueOf.call(value);
  } else if (types.isStringObject(value)) {
    type = 'String';
    primitive = String.prototype.valueOf.call(value);
    // Its characters are among the keys, first.
    keys.splice(0, primitive.length);
  } else if (types.isBooleanObject(value)) {
    type = 'Boolean';
    primitive = Boolean.prototype.valueOf.call(value);
  } else if (types.isBigIntObject(value)) {
    type = 'BigInt';
    primitive = BigInt.prototype.valueOf.call(value);
  } else {
    type = 'Symbol';
    primitive = Symbol.prototype.valueOf.call(value);
  }
  let base = `[${type}`;
  if (type !== constructor) base += constructor === null ? ' (null prototype)' : ` (${constructor})`;
  base += `: ${formatPrimitive(noColor, primitive, ctx)}]`;
  if (tag !== '' && tag !== constructor) base += ` [${tag}]`;
  return keys.length === 0 ? ctx.stylize(base, type.toLowerCase()) : base;
}

// ---- What is inside the braces ----

function moreItems(count, what = 'item') {
  return `... ${count} more ${what}${text.plural(count)}`;
}

function limitOf(ctx, length) {
  return Math.min(Math.max(0, ctx.maxArrayLength), length);
}

function formatArray(ctx, value, depth) {
  const { length } = value;
  const limit = limitOf(ctx, length);
  const output = [];
  for (let i = 0; i < limit; i++) {
    const descriptor = getOwnPropertyDescriptor(value, i);
    if (descriptor === undefined) return formatSparseArray(ctx, value, depth, length, output, i);
    output.push(formatProperty(ctx, value, depth, i, kElement, descriptor));
  }
  if (length > limit) output.push(moreItems(length - limit));
  return output;
}

// From the first hole on: visits only the indices that exist, however long the array is.
function formatSparseArray(ctx, value, depth, length, output, start) {
  const limit = limitOf(ctx, length);
  let next = start;
  const pushHole = (end) => {
    const holes = end - next;
    output.push(ctx.stylize(`<${holes} empty item${text.plural(holes)}>`, 'undefined'));
    next = end;
  };
  const indices = keysOf(value);
  for (let k = start; k < indices.length && output.length < limit; k++) {
    const key = indices[k];
    const index = +key;
    if (!(index >= 0 && index < 2 ** 32 - 1) || `${index}` !== key) break;
    if (index !== next) {
      pushHole(index);
      if (output.length >= limit) break;
    }
    output.push(formatProperty(ctx, value, depth, key, kElement));
    next = index + 1;
  }
  if (output.length < limit) {
    if (next < length) pushHole(length);
  } else if (length > next) {
    output.push(moreItems(length - next));
  }
  return output;
}

function formatTypedArray(ctx, value) {
  const length = typedArrayLength(value);
  const limit = limitOf(ctx, length);
  const output = new Array(limit);
  const format = (value.length ?? length) > 0 && typeof value[0] === 'number' ? formatNumber : formatBigInt;
  for (let i = 0; i < limit; i++) output[i] = format(ctx.stylize, value[i], ctx.numericSeparator);
  if (length > limit) output.push(moreItems(length - limit));
  return output;
}

function formatSet(ctx, value, depth) {
  const limit = limitOf(ctx, setSize(value));
  const output = [];
  ctx.indentation += 2;
  const items = setValues(value);
  for (let i = 0; i < limit; i++) output.push(formatValue(ctx, nextOfSet(items).value, depth));
  ctx.indentation -= 2;
  const left = setSize(value) - limit;
  if (left > 0) output.push(moreItems(left));
  return output;
}

function formatMap(ctx, value, depth) {
  const limit = limitOf(ctx, mapSize(value));
  const output = [];
  ctx.indentation += 2;
  const entries = mapEntries(value);
  for (let i = 0; i < limit; i++) {
    const { 0: key, 1: item } = nextOfMap(entries).value;
    output.push(`${formatValue(ctx, key, depth)} => ${formatValue(ctx, item, depth)}`);
  }
  ctx.indentation -= 2;
  const left = mapSize(value) - limit;
  if (left > 0) output.push(moreItems(left));
  return output;
}

function formatList(ctx, entries, depth) {
  const limit = limitOf(ctx, entries.length);
  const output = [];
  ctx.indentation += 2;
  for (let i = 0; i < limit; i++) output.push(formatValue(ctx, entries[i], depth));
  ctx.indentation -= 2;
  return output;
}

// `entries` is key, value, key, value ...
function formatPairs(ctx, entries, depth, join) {
  const limit = limitOf(ctx, entries.length / 2);
  const output = [];
  ctx.indentation += 2;
  for (let i = 0; i < limit; i++) {
    output.push(join(formatValue(ctx, entries[2 * i], depth),
      formatValue(ctx, entries[2 * i + 1], depth)));
  }
  ctx.indentation -= 2;
  return output;
}

function pushLeft(ctx, output, length) {
  const left = length - Math.max(0, ctx.maxArrayLength);
  if (left > 0) output.push(moreItems(left));
  return output;
}

function formatIterator(ctx, value, depth, shape) {
  const { 0: entries, 1: isKeyValue } = previewEntries(value, true);
  if (!isKeyValue) return pushLeft(ctx, formatList(ctx, entries, depth), entries.length);
  shape.braces[0] = shape.braces[0].replace(/ Iterator] {$/, ' Entries] {');
  const output = formatPairs(ctx, entries, depth, (key, item) =>
    joinEntries(ctx, [key, item], '', ['[', ']'], true, depth));
  return pushLeft(ctx, output, entries.length / 2);
}

// The order in a weak collection means nothing, so it is made stable.
function formatWeakSet(ctx, value, depth) {
  const entries = previewEntries(value);
  const output = formatList(ctx, entries, depth);
  if (!ctx.sorted) output.sort();
  return pushLeft(ctx, output, entries.length);
}

function formatWeakMap(ctx, value, depth) {
  const entries = previewEntries(value);
  const output = formatPairs(ctx, entries, depth, (key, item) => `${key} => ${item}`);
  if (!ctx.sorted) output.sort();
  return pushLeft(ctx, output, entries.length / 2);
}

function formatWeak(ctx) {
  return [ctx.stylize('<items unknown>', 'special')];
}

function formatPromise(ctx, value, depth) {
  const [state, result] = getPromiseDetails(value);
  if (state === kPending) return [ctx.stylize('<pending>', 'special')];
  ctx.indentation += 2;
  const shown = formatValue(ctx, result, depth);
  ctx.indentation -= 2;
  return [state === kRejected ? `${ctx.stylize('<rejected>', 'special')} ${shown}` : shown];
}

function formatArrayBuffer(ctx, value) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return [ctx.stylize('(detached)', 'special')];
  }
  const limit = limitOf(ctx, bytes.length);
  const hex = [];
  for (let i = 0; i < limit; i++) hex.push(bytes[i].toString(16).padStart(2, '0'));
  let shown = hex.join(' ');
  const left = bytes.length - limit;
  if (left > 0) shown += ` ${moreItems(left, 'byte')}`;
  return [`${ctx.stylize('[Uint8Contents]', 'special')}: <${shown}>`];
}

function formatNamespace(ctx, value, depth, shape) {
  const output = shape.keys.map((key) => {
    try {
      return formatProperty(ctx, value, depth, key, kProperty);
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      // In its dead zone: the key as usual, and a note instead of the value.
      const entry = formatProperty(ctx, { [key]: '' }, depth, key, kProperty);
      const space = entry.lastIndexOf(' ');
      return entry.slice(0, space + 1) + ctx.stylize('<uninitialized>', 'special');
    }
  });
  shape.keys.length = 0;
  return output;
}

// ---- properties ----

function formatProperty(ctx, value, depth, key, style, descriptor, receiver = value) {
  descriptor ??= getOwnPropertyDescriptor(value, key);
  let separator = ' ';
  let shown;
  if (descriptor.value !== undefined) {
    const indent = ctx.compact !== true || style !== kProperty ? 2 : 3;
    ctx.indentation += indent;
    shown = formatValue(ctx, descriptor.value, depth);
    if (indent === 3 && ctx.breakLength < text.getStringWidth(shown, ctx.colors)) {
      separator = `\n${' '.repeat(ctx.indentation)}`;
    }
    ctx.indentation -= indent;
  } else if (descriptor.get !== undefined) {
    shown = formatGetter(ctx, descriptor, depth, receiver);
  } else if (descriptor.set !== undefined) {
    shown = ctx.stylize('[Setter]', 'special');
  } else {
    shown = ctx.stylize('undefined', 'undefined');
  }
  if (style === kElement) return shown;
  return `${formatKey(ctx, key, descriptor)}:${separator}${shown}`;
}

function formatKey(ctx, key, descriptor) {
  const name = keyText(ctx, key);
  return descriptor.enumerable === false ? `[${name}]` : name;
}

function keyText(ctx, key) {
  if (typeof key === 'symbol') {
    return ctx.stylize(text.escapeControl(Symbol.prototype.toString.call(key)), 'symbol');
  }
  if (key === '__proto__') return "['__proto__']";
  if (kIdentifier.test(key)) return ctx.stylize(key, 'name');
  return ctx.stylize(text.quote(key), 'string');
}

// What is on the prototype, mostly accessors.
function formatExtra(ctx, value, depth, key, keyStyle) {
  ctx.indentation += 2;
  let extra;
  try {
    extra = value[key];
  } catch {
    extra = value.buffer[key]; // a DataView of a buffer that is gone
  }
  const shown = formatValue(ctx, extra, depth, keyStyle === kArrayProperty ? true : undefined);
  ctx.indentation -= 2;
  return `${ctx.stylize(`[${key}]`, 'string')}: ${shown}`;
}

function formatGetter(ctx, descriptor, depth, receiver) {
  const hasSetter = descriptor.set !== undefined;
  const label = hasSetter ? 'Getter/Setter' : 'Getter';
  const special = (string) => ctx.stylize(string, 'special');
  const wanted = ctx.getters === true || (ctx.getters === 'get' && !hasSetter) ||
    (ctx.getters === 'set' && hasSetter);
  if (!wanted) return special(`[${label}]`);
  const wrap = (string) => `${special(`[${label}:`)} ${string}${special(']')}`;
  ctx.indentation += 2;
  try {
    const result = descriptor.get.call(receiver);
    if (result === null) return wrap(ctx.stylize('null', 'null'));
    if (typeof result !== 'object' && typeof result !== 'function') {
      return wrap(formatPrimitive(ctx.stylize, result, ctx));
    }
    return `${special(`[${label}]`)} ${formatValue(ctx, result, depth)}`;
  } catch (error) {
    return wrap(`<Inspection threw (${formatValue(ctx, error, depth)})>`);
  } finally {
    ctx.indentation -= 2;
  }
}

module.exports = { formatBigInt, formatNumber, formatValue, kCustom, noColor, setInspect };
