'use strict';
// The parameter `primordials` of the files that are Node's own (docs/javascript.md): the built-ins as they were before a
// program could change them, under the names that these files use. A method takes its receiver as first argument:
// ArrayPrototypePush(array, value). The table holds the names that those files take from it, and no others.

const { SafePromise, SafeSet, uncurry } = require('internal/util/safe');

// Promise.resolve() and Promise.reject() make what their receiver constructs.
const staticOfPromise = (name) => Promise[name].bind(Promise);

const getterOf = (prototype, name) => uncurry(Object.getOwnPropertyDescriptor(prototype, name).get);
const then = uncurry(Promise.prototype.then);

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

function promiseFinally(promise, onFinally) {
  return new Promise((resolve, reject) => shield(promise).finally(onFinally).then(resolve, reject));
}

const TypedArrayPrototype = Object.getPrototypeOf(Uint8Array).prototype;
const asyncGenerator = Object.getPrototypeOf(async function*() {}).prototype;

module.exports = {
  __proto__: null,
  Array,
  ArrayBuffer,
  ArrayBufferPrototypeGetByteLength: getterOf(ArrayBuffer.prototype, 'byteLength'),
  ArrayBufferPrototypeGetDetached: getterOf(ArrayBuffer.prototype, 'detached'),
  ArrayBufferPrototypeSlice: uncurry(ArrayBuffer.prototype.slice),
  ArrayBufferPrototypeTransfer: uncurry(ArrayBuffer.prototype.transfer),
  ArrayIsArray: Array.isArray,
  ArrayPrototypeFilter: uncurry(Array.prototype.filter),
  ArrayPrototypeIndexOf: uncurry(Array.prototype.indexOf),
  ArrayPrototypePop: uncurry(Array.prototype.pop),
  ArrayPrototypePush: uncurry(Array.prototype.push),
  ArrayPrototypeSlice: uncurry(Array.prototype.slice),
  AsyncIteratorPrototype: Object.getPrototypeOf(asyncGenerator),
  Boolean,
  DataView,
  DataViewPrototypeGetBuffer: getterOf(DataView.prototype, 'buffer'),
  DataViewPrototypeGetByteLength: getterOf(DataView.prototype, 'byteLength'),
  DataViewPrototypeGetByteOffset: getterOf(DataView.prototype, 'byteOffset'),
  Error,
  FunctionPrototypeBind: uncurry(Function.prototype.bind),
  FunctionPrototypeCall: uncurry(Function.prototype.call),
  FunctionPrototypeSymbolHasInstance: uncurry(Function.prototype[Symbol.hasInstance]),
  JSONParse: JSON.parse,
  MathFloor: Math.floor,
  MathMax: Math.max,
  MathMin: Math.min,
  Number,
  NumberIsInteger: Number.isInteger,
  NumberIsNaN: Number.isNaN,
  NumberParseInt: Number.parseInt,
  ObjectDefineProperties: Object.defineProperties,
  ObjectDefineProperty: Object.defineProperty,
  ObjectFreeze: Object.freeze,
  ObjectGetOwnPropertyDescriptor: Object.getOwnPropertyDescriptor,
  ObjectKeys: Object.keys,
  ObjectSetPrototypeOf: Object.setPrototypeOf,
  Promise,
  PromisePrototypeThen: uncurry(Promise.prototype.then),
  PromiseReject: staticOfPromise('reject'),
  PromiseResolve: staticOfPromise('resolve'),
  PromiseWithResolvers: Promise.withResolvers.bind(Promise),
  ReflectApply: Reflect.apply,
  ReflectOwnKeys: Reflect.ownKeys,
  SafePromiseAll: promiseAll,
  SafePromiseAllReturnVoid: promiseAllReturnVoid,
  SafePromisePrototypeFinally: promiseFinally,
  SafeSet,
  String,
  StringPrototypeCharCodeAt: uncurry(String.prototype.charCodeAt),
  StringPrototypeSlice: uncurry(String.prototype.slice),
  StringPrototypeStartsWith: uncurry(String.prototype.startsWith),
  StringPrototypeToLowerCase: uncurry(String.prototype.toLowerCase),
  Symbol,
  SymbolAsyncDispose: Symbol.asyncDispose,
  SymbolAsyncIterator: Symbol.asyncIterator,
  SymbolDispose: Symbol.dispose,
  SymbolFor: Symbol.for,
  SymbolHasInstance: Symbol.hasInstance,
  SymbolIterator: Symbol.iterator,
  SymbolSpecies: Symbol.species,
  SymbolToStringTag: Symbol.toStringTag,
  TypeError,
  TypedArrayPrototypeGetBuffer: getterOf(TypedArrayPrototype, 'buffer'),
  TypedArrayPrototypeGetByteLength: getterOf(TypedArrayPrototype, 'byteLength'),
  TypedArrayPrototypeGetByteOffset: getterOf(TypedArrayPrototype, 'byteOffset'),
  TypedArrayPrototypeGetLength: getterOf(TypedArrayPrototype, 'length'),
  TypedArrayPrototypeSet: uncurry(TypedArrayPrototype.set),
  Uint8Array,
};
