'use strict';
// What keeps working when a program has changed Map.prototype or String.prototype: for code that
// runs where the program expects nothing of it.

// The class with the methods that it had when this was loaded. A program that inspects an object of
// it sees its name, which is Node's.
function safe(Class) {
  const name = `Safe${Class.name}`;
  const Safe = { [name]: class extends Class {} }[name];
  for (const key of Reflect.ownKeys(Class.prototype)) {
    if (key === 'constructor') continue;
    Object.defineProperty(Safe.prototype, key, Object.getOwnPropertyDescriptor(Class.prototype, key));
  }
  Object.freeze(Object.setPrototypeOf(Safe.prototype, null));
  return Object.freeze(Safe);
}

const uncurry = Function.prototype.bind.bind(Function.prototype.call);

module.exports = {
  SafeMap: safe(Map),
  SafePromise: safe(Promise),
  SafeSet: safe(Set),
  SafeWeakMap: safe(WeakMap),
  SafeWeakSet: safe(WeakSet),
  // (text, ...): the methods of strings
  charCodeAt: uncurry(String.prototype.charCodeAt),
  slice: uncurry(String.prototype.slice),
  startsWith: uncurry(String.prototype.startsWith),
  trimEnd: uncurry(String.prototype.trimEnd),
  // The function that takes as first argument what the method given takes as receiver.
  uncurry,
};
