'use strict';
// The methods that nearly all code takes for granted, as they were at the start.

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { defineProperty, deleteProperty, ownKeys } = Reflect;

const holders = [Array, Function, Map, RegExp, Set, String, WeakMap].map(({ prototype }) => prototype)
  .concat([[][Symbol.iterator](), new Map().values(), new Set().values(), ''[Symbol.iterator](),
    'x'.matchAll(/x/g)].map(getPrototypeOf));

// Flat: an object, a key, a function.
const methods = [];
for (const holder of holders) {
  for (const key of ownKeys(holder)) {
    const { value } = getOwnPropertyDescriptor(holder, key);
    if (typeof value === 'function' && key !== 'constructor') methods.push(holder, key, value);
  }
}

// Who changes the language changes one of these: looking at all of them would cost each file that is
// loaded some microseconds.
const array = Array.prototype;
const [maps, sets, texts, patterns, functions] =
  [Map, Set, String, RegExp, Function].map(({ prototype }) => prototype);
const nextOfArray = getPrototypeOf(array[Symbol.iterator]());
const { forEach, indexOf, join, map, push, slice, [Symbol.iterator]: iterator } = array;
const { next } = nextOfArray;
const { get, set, [Symbol.iterator]: mapIterator } = maps;
const { add, has, [Symbol.iterator]: setIterator } = sets;
const { split, replace } = texts;
const { exec } = patterns;
const { bind, call } = functions;

function isIntact() {
  return array[Symbol.iterator] === iterator && nextOfArray.next === next &&
    maps[Symbol.iterator] === mapIterator && sets[Symbol.iterator] === setIterator &&
    array.push === push && array.map === map && array.forEach === forEach && array.slice === slice &&
    array.join === join && array.indexOf === indexOf && maps.get === get &&
    maps.set === set && sets.add === add && sets.has === has &&
    texts.split === split && texts.replace === replace &&
    patterns.exec === exec && functions.bind === bind &&
    functions.call === call;
}

// Puts back what was changed. Returns what undo() needs, undefined if that is nothing.
function repair() {
  if (isIntact()) return undefined;
  let changed;
  for (let i = 0; i < methods.length; i += 3) {
    const holder = methods[i];
    const key = methods[i + 1];
    if (holder[key] === methods[i + 2]) continue;
    changed ??= { __proto__: null, count: 0 };
    const now = getOwnPropertyDescriptor(holder, key);
    const isRepaired = defineProperty(holder, key, {
      __proto__: null, value: methods[i + 2], writable: true, enumerable: false, configurable: true,
    });
    if (isRepaired) changed[changed.count++] = { __proto__: null, holder, key, now };
  }
  return changed;
}

function undo(changed) {
  for (let i = 0; i < changed.count; i++) {
    const { holder, key, now } = changed[i];
    if (now === undefined) deleteProperty(holder, key);
    else defineProperty(holder, key, now);
  }
}

module.exports = { repair, undo };
