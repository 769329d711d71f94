'use strict';
// The functions of Object, Array, Reflect and others as they were before a program could change them. The build writes
// capturedStatics.Object_keys where a file of lib/ has Object.keys (cmake/embed_lib.cmake, which has the same list), so that
// lib/ reads as it always did, and a program may replace or delete them. This file is not rewritten.

const functions = {
  Array: [Array, 'from isArray of'],
  Error: [Error, 'captureStackTrace'],
  JSON: [JSON, 'parse stringify'],
  Number: [Number, 'isFinite isInteger isNaN isSafeInteger parseFloat parseInt'],
  Object: [Object, `assign create defineProperties defineProperty entries freeze fromEntries getOwnPropertyDescriptor
    getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPrototypeOf hasOwn is isExtensible isFrozen
    isSealed keys preventExtensions seal setPrototypeOf values`],
  Reflect: [Reflect, `apply construct defineProperty deleteProperty get getOwnPropertyDescriptor getPrototypeOf has
    isExtensible ownKeys preventExtensions set setPrototypeOf`],
  String: [String, 'fromCharCode fromCodePoint raw'],
  Symbol: [Symbol, 'for'],
};
// `new Map()` of a file of lib/ is `new capturedStatics.Map()`: with methods of its own.
const { SafeMap, SafeSet, SafeWeakMap, SafeWeakSet, uncurry } = require('internal/util/safe');

// They make objects of the class that they are called on.
const classFunctions = { Promise: [Promise, 'all allSettled any race reject resolve withResolvers'] };

// name.startsWith(text) is capturedStatics.startsWith(name, text): methods that nothing but strings has. So is call()
// of functions.
const kOfStrings = `charCodeAt codePointAt endsWith localeCompare padEnd padStart repeat replaceAll startsWith
  toLowerCase toUpperCase trim trimEnd trimStart`;

const statics = { __proto__: null, Map: SafeMap, Set: SafeSet, WeakMap: SafeWeakMap, WeakSet: SafeWeakSet };
for (const [name, [holder, words]] of Object.entries(functions)) {
  for (const word of words.split(/\s+/)) statics[`${name}_${word}`] = holder[word];
}
for (const [name, [holder, words]] of Object.entries(classFunctions)) {
  for (const word of words.split(/\s+/)) statics[`${name}_${word}`] = holder[word].bind(holder);
}

statics.call = uncurry(Function.prototype.call);
for (const word of kOfStrings.split(/\s+/)) statics[word] = uncurry(String.prototype[word]);

// Loads of a property are fastest where the object is a prototype.
Object.create(statics);
module.exports = Object.freeze(statics);
