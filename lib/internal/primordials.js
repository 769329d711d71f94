'use strict';
// The parameter `primordials` of the files that are Node's own (docs/javascript.md): the built-ins as they were before a
// program could change them, under the names that these files use. A method takes its receiver as first argument:
// ArrayPrototypePush(array, value). The table holds the names that those files take from it, and no others.

const { SafeSet, uncurry } = require('internal/util/safe');

// Promise.resolve() and Promise.reject() make what their receiver constructs.
const staticOfPromise = (name) => Promise[name].bind(Promise);

const asyncGenerator = Object.getPrototypeOf(async function*() {}).prototype;

module.exports = {
  __proto__: null,
  ArrayIsArray: Array.isArray,
  ArrayPrototypeIndexOf: uncurry(Array.prototype.indexOf),
  ArrayPrototypePop: uncurry(Array.prototype.pop),
  ArrayPrototypePush: uncurry(Array.prototype.push),
  ArrayPrototypeSlice: uncurry(Array.prototype.slice),
  AsyncIteratorPrototype: Object.getPrototypeOf(asyncGenerator),
  Boolean,
  Error,
  FunctionPrototypeCall: uncurry(Function.prototype.call),
  FunctionPrototypeSymbolHasInstance: uncurry(Function.prototype[Symbol.hasInstance]),
  JSONParse: JSON.parse,
  MathFloor: Math.floor,
  MathMax: Math.max,
  Number,
  NumberIsInteger: Number.isInteger,
  NumberIsNaN: Number.isNaN,
  NumberParseInt: Number.parseInt,
  ObjectDefineProperties: Object.defineProperties,
  ObjectDefineProperty: Object.defineProperty,
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
  SafeSet,
  StringPrototypeToLowerCase: uncurry(String.prototype.toLowerCase),
  Symbol,
  SymbolAsyncDispose: Symbol.asyncDispose,
  SymbolAsyncIterator: Symbol.asyncIterator,
  SymbolDispose: Symbol.dispose,
  SymbolFor: Symbol.for,
  SymbolHasInstance: Symbol.hasInstance,
  SymbolIterator: Symbol.iterator,
  SymbolSpecies: Symbol.species,
  TypedArrayPrototypeSet: uncurry(Object.getPrototypeOf(Uint8Array).prototype.set),
  Uint8Array,
};
