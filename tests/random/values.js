'use strict';
// Values made at random, to util.inspect() with random options, util.format(), util.isDeepStrictEqual(), assert's comparisons with the
// messages of their failures, structuredClone() and console.table().

const assert = require('node:assert');
const util = require('node:util');
const { Random } = require('./random.js');

class Point {
  constructor(x) {
    this.x = x;
  }
}
class Tagged {
  get [Symbol.toStringTag]() { return 'Tag'; }
}
class List extends Array {}
class Dictionary extends Map {}
class Strange extends Error {
  name = 'Strange';
}
const kPrivate = Symbol('private');
const kKeys = ['a', 'b', 'key', '0', '12', 'with space', 'a-b', '\u00fc', "it's", '', '__proto__x', 'constructor', '\n', Symbol('s'), kPrivate, Symbol('')];
const kTexts = ['', 'a', 'some text', "it's", '"quoted"', "both ' and \"", '`all` \' "', 'line\nbreak\nand more', '\t\0\x1b\x7f', '\u{1f600} wide', '\u4f60\u597d', 'a\u0301', '\ud800',
  'x'.repeat(60), 'word '.repeat(30), '\\', 'a\u200bb', '%s %d'];
const kNumbers = [0, -0, 1, -1, 1.5, NaN, Infinity, -Infinity, 1e21, 123456789.123, -1000000, 1e-7, 12345, 0.1, 2 ** 53];

function scalar(random) {
  switch (random.below(12)) {
    case 0: case 1: case 2: return random.pick(kTexts);
    case 3: case 4: return random.pick(kNumbers);
    case 5: return random.pick([true, false]);
    case 6: return random.pick([null, undefined]);
    case 7: return random.pick([0n, -12345678901234567890n, 7n]);
    case 8: return random.pick([Symbol('sym'), Symbol.iterator, Symbol('with space'), kPrivate]);
    default: return random.below(1000);
  }
}

const kFunctions = [
  function named() {}, () => {}, class A {}, class B extends Point {}, async function later() {}, function* some() {}, async () => {}, Math.max, class {},
  Object.setPrototypeOf(function bare() {}, null), Object.assign(() => {}, { own: 1 }),
];

function error(random, depth) {
  const made = new (random.pick([Error, TypeError, RangeError, Strange, AggregateError, EvalError]))(random.chance(20) ? [] : random.pick(kTexts), random.pick(kTexts));
  // Where it was made is not the same everywhere.
  made.stack = random.pick([`${made.name}: ${made.message}\n    at file:1:2`, `${made.message}`, 'Error\n    at a\n    at b', undefined, '']);
  if (random.chance(30)) made.cause = value(random, depth - 1);
  if (random.chance(30)) made.code = random.pick(['E_CODE', 5]);
  if (random.chance(15)) made.name = random.pick(['Other', '', undefined]);
  if (random.chance(15)) made.message = random.pick(['', 'changed', 5]);
  return made;
}

function decorate(random, object, depth) {
  if (random.chance(15)) {
    const key = random.pick(kKeys);
    const added = value(random, depth - 1);
    Reflect.set(object, ArrayBuffer.isView(object) ? 'added' : key, added);
  }
  if (random.chance(4)) Object.defineProperty(object, 'hidden', { value: scalar(random), enumerable: false, configurable: true });
  if (random.chance(4)) Object.defineProperty(object, 'lazy', { get() { return 5; }, set: random.chance(50) ? () => {} : undefined, enumerable: true, configurable: true });
  return object;
}

function plain(random, depth) {
  const object = random.chance(10) ? { __proto__: null } : random.chance(10) ? new Point(1) : {};
  for (let left = random.below(5); left > 0; left--) object[random.pick(kKeys)] = value(random, depth - 1);
  if (random.chance(5)) object.self = object;
  return object;
}

function array(random, depth) {
  const list = random.chance(10) ? new List() : [];
  const size = random.pick([0, 1, 2, 3, 6, 7, 8, 27, 110]);
  const same = random.below(3);
  for (let i = 0; i < size; i++) {
    if (random.chance(3)) list.length++;
    else if (same === 0) list.push(random.below(10 ** random.below(6)));
    else if (same === 1 && size > 5) list.push(random.pick(['short', 'longer text', 'x', '\u4f60']));
    else list.push(size > 8 ? scalar(random) : value(random, depth - 1));
  }
  return list;
}

function collection(random, depth) {
  const entries = Array.from({ length: random.below(5) }, () => [value(random, depth - 1), value(random, depth - 1)]);
  switch (random.below(7)) {
    case 0: return new Map(entries);
    case 1: return new Set(entries.flat());
    case 2: return new Dictionary(entries);
    case 3: return new Map(entries).entries();
    case 4: return new Set(entries.flat()).values();
    case 5: return new Map(entries).keys();
    default: return random.pick([new WeakMap(), new WeakSet(), new Map(), new Set()]);
  }
}

function bytes(random) {
  const size = random.pick([0, 1, 4, 20, 60]);
  const memory = Uint8Array.from({ length: size * 8 }, (_, i) => i * 7).buffer;
  return random.pick([
    () => Buffer.from(memory), () => memory, () => new DataView(memory), () => new Float64Array(memory), () => new BigInt64Array(memory), () => new Uint16Array(memory),
    () => new SharedArrayBuffer(size), () => new Uint8ClampedArray(memory),
  ])();
}

function special(random, depth) {
  switch (random.below(14)) {
    case 0: return random.pick([new Date(0), new Date(NaN), new Date(1e12)]);
    case 1: return random.pick([/a/g, /x\/y/iu, new RegExp(''), Object.setPrototypeOf(/q/, null)]);
    case 2: return random.pick([new String('boxed'), new Number(-0), new Boolean(false), Object(5n), Object(Symbol('o')), new String('')]);
    case 3: return random.pick([Promise.resolve(5), new Promise(() => {}), Promise.resolve({ a: 1 })]);
    case 4: return new Proxy(plain(random, depth - 1), {});
    case 5: return (function() { return arguments; })(1, 'two', [3]);
    case 6: return random.pick([new Tagged(), Object.create(Tagged.prototype), { [Symbol.toStringTag]: 'own' }, Object.create({ constructor: null })]);
    case 7: return { [util.inspect.custom]: (depthLeft, options) => random.pick([`custom ${depthLeft}`, { depthLeft, compact: options.compact }, 'two\nlines', 5]) };
    case 8: return [].values();
    case 9: return new (class Foo extends Point {})(scalar(random));
    case 10: return Object.create(new Point(2), { y: { value: 1, enumerable: true } });
    case 11: return random.pick([new WeakRef(kFunctions), new URLSearchParams('a=b'), new URL('http://h/p'), new AbortController().signal, Math, JSON, Reflect, new Intl.Locale('de')]);
    case 12: return function* () {}();
    default: return Object.freeze({ frozen: scalar(random) });
  }
}

function value(random, depth) {
  if (depth <= 0 || random.chance(35)) return scalar(random);
  switch (random.below(12)) {
    case 0: case 1: case 2: return decorate(random, plain(random, depth), depth);
    case 3: case 4: return decorate(random, array(random, depth), depth);
    case 5: return decorate(random, collection(random, depth), depth);
    case 6: return decorate(random, bytes(random), depth);
    case 7: return random.pick(kFunctions);
    case 8: return decorate(random, error(random, depth), depth);
    case 9: return special(random, depth);
    default: return plain(random, depth);
  }
}

function options(random) {
  const all = {
    depth: random.pick([0, 1, 2, 5, null, Infinity]), showHidden: random.chance(50), colors: random.chance(50), customInspect: random.chance(50), showProxy: random.chance(50),
    maxArrayLength: random.pick([0, 1, 3, null, 100]), maxStringLength: random.pick([0, 5, 20, null]), breakLength: random.pick([10, 40, 80, 128, Infinity]),
    compact: random.pick([true, false, 0, 1, 3, 10]), sorted: random.chance(50), getters: random.pick([false, true, 'get', 'set']), numericSeparator: random.chance(50),
  };
  const picked = {};
  for (const name of Object.keys(all)) if (random.chance(25)) picked[name] = all[name];
  return picked;
}

function attempt(name, run) {
  let result;
  try {
    result = run();
  } catch (failure) {
    result = `${failure.name} ${failure.code} ${failure.message}`;
  }
  console.log(name, '->', String(result));
}

const kAssertions = ['deepEqual', 'deepStrictEqual', 'notDeepEqual', 'notDeepStrictEqual', 'strictEqual', 'equal', 'notStrictEqual', 'partialDeepStrictEqual'];
const kFormats = ['%s', '%d', '%i', '%f', '%j', '%o', '%O', '%c', '%%', '%x', 'text ', ' ', '%'];

// The same program makes the same value: two generators with one seed.
function pair(random) {
  const seed = random.below(1e9);
  const left = value(new Random(seed), 3);
  if (random.chance(30)) return [left, value(random, 3)];
  const right = value(new Random(seed), 3);
  if (random.chance(50)) return [left, right];
  if (typeof right === 'object' && right !== null && Object.isExtensible(right) && !util.types.isProxy(right)) {
    if (Array.isArray(right)) right.push(scalar(random));
    else if (util.types.isMap(right)) right.set(scalar(random), 1);
    else if (util.types.isSet(right)) right.add(scalar(random));
    else right.extra = scalar(random);
  }
  return [left, right];
}

const kActions = [
  (random) => {
    const shown = value(random, 4);
    const how = options(random);
    attempt(`inspect ${JSON.stringify(how)}`, () => util.inspect(shown, how));
  },
  (random) => {
    let text = '';
    for (let left = random.below(4); left > 0; left--) text += random.pick(kFormats);
    const args = Array.from({ length: random.below(4) }, () => value(random, 3));
    attempt(`format ${JSON.stringify(text)}`, () => util.format(...(random.chance(80) ? [text] : []), ...args));
  },
  (random) => {
    const [left, right] = pair(random);
    attempt('isDeepStrictEqual', () => util.isDeepStrictEqual(left, right));
    attempt('isDeepEqual', () => {
      try {
        assert.deepEqual(left, right);
        return 'equal';
      } catch (failure) {
        return failure.code;
      }
    });
  },
  (random) => {
    const [left, right] = pair(random);
    const name = random.pick(kAssertions);
    attempt(`assert.${name}`, () => assert[name](left, right));
  },
  (random) => {
    const original = value(random, 3);
    // What cannot be cloned is named differently by builds of V8.
    attempt('structuredClone', () => {
      try {
        return util.inspect(structuredClone(original), { depth: 5, showHidden: random.chance(20) });
      } catch (failure) {
        return failure.name;
      }
    });
  },
  (random) => console.table(random.chance(70) ? Array.from({ length: random.below(4) }, () => plain(random, 2)) : value(random, 2), random.chance(20) ? ['a', 'key'] : undefined),
  (random) => attempt('stripVTControlCharacters', () => util.stripVTControlCharacters(util.inspect(value(random, 3), { colors: true }))),
];

function main() {
  process.removeAllListeners('warning');
  const first = Number(process.argv[2]);
  const count = Number(process.argv[3]);
  for (let seed = first; seed < first + count; seed++) {
    console.log(`# seed ${seed}`);
    const random = new Random(seed);
    for (let i = 0; i < 12; i++) random.pick(kActions)(random);
  }
}

module.exports = { value };
if (require.main === module) main();
