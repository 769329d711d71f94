'use strict';
// The parameter `primordials` of the files that are Node's own (docs/javascript.md): the built-ins as they were before a
// program could change them, under the names that these files use. A method takes its receiver as first argument:
// ArrayPrototypePush(array, value), and so does a getter: ArrayBufferPrototypeGetByteLength(buffer). The table holds the
// names that those files take from it, and no others; to add one, add it to the line of its class.

const { SafeMap, SafePromise, SafeSet, SafeWeakMap, SafeWeakSet, uncurry } = require('internal/util/safe');

const { apply } = Reflect;
const TypedArray = Object.getPrototypeOf(Uint8Array);

const table = {
  __proto__: null,
  Array, ArrayBuffer, BigInt, Boolean, DataView, Date, Error, Float64Array, Int32Array, Map, Number, Promise, Proxy, RegExp,
  SafeMap, SafeSet, SafeWeakMap, SafeWeakSet, String, Symbol, TypeError, Uint16Array, Uint32Array, Uint8Array, decodeURIComponent, globalThis,
  AsyncIteratorPrototype: Object.getPrototypeOf(Object.getPrototypeOf(async function*() {}).prototype),
  FunctionPrototype: Function.prototype,
};

function capitalise(name) {
  return name[0].toUpperCase() + name.slice(1);
}

// ArrayIsArray, MathFloor, SymbolIterator.
const kStatics = [
  ['Array', Array, 'from isArray'],
  ['ArrayBuffer', ArrayBuffer, 'isView'],
  ['Atomics', Atomics, 'add notify store waitAsync'],
  ['Date', Date, 'now'],
  ['JSON', JSON, 'parse stringify'],
  ['Math', Math, 'abs floor max min pow sign trunc'],
  ['Number', Number, 'MAX_SAFE_INTEGER MIN_SAFE_INTEGER isFinite isInteger isNaN isSafeInteger parseInt'],
  ['Object', Object, `assign create defineProperties defineProperty entries freeze getOwnPropertyDescriptor
    getOwnPropertyDescriptors getPrototypeOf hasOwn keys setPrototypeOf values`],
  ['Reflect', Reflect, 'apply construct deleteProperty get getPrototypeOf ownKeys set'],
  ['String', String, 'fromCharCode'],
  ['Symbol', Symbol, 'asyncDispose asyncIterator dispose for hasInstance iterator species toStringTag'],
];

// ArrayPrototypePush.
const kMethods = [
  ['Array', Array, `every fill filter forEach includes indexOf join map pop push shift slice some sort splice toSorted
    unshift`],
  ['ArrayBuffer', ArrayBuffer, 'slice transfer'],
  ['BigInt', BigInt, 'toString'],
  ['DataView', DataView, 'getUint8'],
  ['Function', Function, 'bind call'],
  ['Map', Map, 'clear delete entries get has keys set'],
  ['Number', Number, 'toString'],
  ['Object', Object, 'hasOwnProperty'],
  ['Promise', Promise, 'then'],
  ['RegExp', RegExp, 'exec'],
  ['String', String, `charCodeAt endsWith includes padStart repeat replace slice split startsWith substring toLowerCase toUpperCase
    toWellFormed trim`],
  ['TypedArray', TypedArray, 'fill includes set slice subarray'],
];

// ArrayBufferPrototypeGetByteLength.
const kGetters = [
  ['ArrayBuffer', ArrayBuffer, 'byteLength detached resizable'],
  ['DataView', DataView, 'buffer byteLength byteOffset'],
  ['Map', Map, 'size'],
  ['TypedArray', TypedArray, 'buffer byteLength byteOffset length'],
];

function split(names) {
  return names.split(/\s+/);
}

for (const [prefix, object, names] of kStatics) {
  for (const name of split(names)) table[prefix + capitalise(name)] = object[name];
}
for (const [prefix, { prototype }, names] of kMethods) {
  for (const name of split(names)) table[`${prefix}Prototype${capitalise(name)}`] = uncurry(prototype[name]);
}
for (const [prefix, { prototype }, names] of kGetters) {
  for (const name of split(names)) {
    const { get } = Object.getOwnPropertyDescriptor(prototype, name);
    table[`${prefix}PrototypeGet${capitalise(name)}`] = uncurry(get);
  }
}

// What has a symbol for a name, and what is called on a certain object.
Object.assign(table, {
  FunctionPrototypeSymbolHasInstance: uncurry(Function.prototype[Symbol.hasInstance]),
  RegExpPrototypeSymbolReplace: uncurry(RegExp.prototype[Symbol.replace]),
  TypedArrayPrototypeGetSymbolToStringTag:
    uncurry(Object.getOwnPropertyDescriptor(TypedArray.prototype, Symbol.toStringTag).get),
  TypedArrayFrom: uncurry(TypedArray.from),
  TypedArrayOf: uncurry(TypedArray.of),
  // Promise.resolve() and similar functions create what their receiver constructs.
  PromiseReject: Promise.reject.bind(Promise),
  PromiseResolve: Promise.resolve.bind(Promise),
  PromiseWithResolvers: Promise.withResolvers.bind(Promise),
});

// (receiver, array): as if the items were arguments.
const { fromCharCode } = String;
const { push } = Array.prototype;
table.ArrayPrototypePushApply = (array, items) => apply(push, array, items);
table.StringFromCharCodeApply = (items) => apply(fromCharCode, undefined, items);

// An iterator over an array for for...of and spreading that does not ask the array for its iterator.
const iterate = uncurry(Array.prototype[Symbol.iterator]);
const nextOf = uncurry(Object.getPrototypeOf([][Symbol.iterator]()).next);

table.SafeArrayIterator = class SafeArrayIterator {
  #iterator;

  constructor(array) {
    this.#iterator = iterate(array);
  }

  next() {
    return nextOf(this.#iterator);
  }

  [Symbol.iterator]() {
    return this;
  }
};
Object.setPrototypeOf(table.SafeArrayIterator.prototype, null);
Object.freeze(table.SafeArrayIterator.prototype);

const then = table.PromisePrototypeThen;

// A promise whose then() and finally() a program cannot change, settled like the one given. It stays in here: what the
// functions below return is an ordinary one.
function shield(promise) {
  return new SafePromise((resolve, reject) => then(promise, resolve, reject));
}

function promiseAll(promises, convert) {
  const shielded = promises.map((promise, i) => shield(convert == null ? promise : convert(promise, i)));
  return new Promise((resolve, reject) => SafePromise.all(shielded).then(resolve, reject));
}

function promiseAllReturnVoid(promises, convert) {
  return new Promise((resolve, reject) => {
    let waiting = promises.length;
    const settled = () => {
      if (--waiting === 0) resolve();
    };
    if (waiting === 0) resolve();
    promises.forEach((promise, i) => {
      then(Promise.resolve(convert == null ? promise : convert(promise, i)), settled, reject);
    });
  });
}

function promiseRace(promises, convert) {
  const shielded = promises.map((promise, i) => shield(Promise.resolve(convert == null ? promise : convert(promise, i))));
  return new Promise((resolve, reject) => SafePromise.race(shielded).then(resolve, reject));
}

function promiseFinally(promise, onFinally) {
  return new Promise((resolve, reject) => shield(promise).finally(onFinally).then(resolve, reject));
}

table.SafePromiseAll = promiseAll;
table.SafePromiseAllReturnVoid = promiseAllReturnVoid;
table.SafePromisePrototypeFinally = promiseFinally;
table.SafePromiseRace = promiseRace;

module.exports = table;
