'use strict';
// V8 adds its newest functions to a context only when the context is restored from a snapshot, so
// while the snapshot is made they are missing. lib/ uses some of them: here are stand-ins for that
// time. They must be gone in the end, to make room for the real ones.

const TypedArray = Object.getPrototypeOf(Uint8Array);

function at(index) {
  const i = Math.trunc(index) || 0;
  return this[i < 0 ? this.length + i : i];
}

function findLastIndex(predicate, receiver) {
  for (let i = this.length - 1; i >= 0; i--) {
    if (Reflect.apply(predicate, receiver, [this[i], i, this])) return i;
  }
  return -1;
}

function findLast(predicate, receiver) {
  return this[Reflect.apply(findLastIndex, this, [predicate, receiver])];
}

function hasOwn(object, key) {
  return Object.prototype.hasOwnProperty.call(object, key);
}

const shims = [
  [Object, { hasOwn }],
  [Array.prototype, { at, findLast, findLastIndex }],
  [TypedArray.prototype, { at, findLast, findLastIndex }],
  [String.prototype, { at }],
];

// Returns the function that takes them away again.
module.exports = function installShims() {
  const installed = [];
  for (const [target, functions] of shims) {
    for (const name in functions) {
      if (name in target) continue;
      Object.defineProperty(target, name, { value: functions[name], writable: true, configurable: true });
      installed.push([target, name]);
    }
  }
  return () => {
    for (const [target, name] of installed) delete target[name];
  };
};
