'use strict';
// util.deprecate: a function that warns when it is called for the first time.

const { validateString } = require('internal/validators');

const codesWarned = new Set();

// One warning for all that is deprecated under one code.
function emitDeprecationOnce(message, code, deprecated) {
  if (code === undefined) {
    process.emitWarning(message, 'DeprecationWarning', deprecated);
  } else if (!codesWarned.has(code)) {
    codesWarned.add(code);
    process.emitWarning(message, 'DeprecationWarning', code, deprecated);
  }
}

// A function that warns the first time that `shouldWarn` is true of its argument. The stack of the warning begins with the
// caller of `deprecated`.
function getDeprecationWarningEmitter(code, msg, deprecated, useEmitSync, shouldWarn = () => true) {
  let warned = false;
  return (argument) => {
    if (warned || !shouldWarn(argument)) return;
    warned = true;
    emitDeprecationOnce(msg, code, deprecated);
  };
}

function deprecate(fn, msg, code, useEmitSync, modifyPrototype = true) {
  if (code !== undefined) validateString(code, 'code');

  const warn = getDeprecationWarningEmitter(code, msg, deprecated, useEmitSync);
  function deprecated(...args) {
    if (!process.noDeprecation) warn();
    if (new.target) return Reflect.construct(fn, args, new.target);
    return Reflect.apply(fn, this, args);
  }
  if (!modifyPrototype) return deprecated;
  // Static members stay reachable, and instanceof keeps working.
  Object.setPrototypeOf(deprecated, fn);
  if (fn.prototype) deprecated.prototype = fn.prototype;
  Object.defineProperty(deprecated, 'length', { __proto__: null, ...Object.getOwnPropertyDescriptor(fn, 'length') });
  return deprecated;
}

// For a constructor that was called as a function: warns, and makes the object.
function deprecateInstantiation(Class, code, ...args) {
  emitDeprecationOnce(`Instantiating ${Class.name} without the 'new' keyword has been deprecated.`, code, Class);
  return Reflect.construct(Class, args);
}

module.exports = { deprecate, deprecateInstantiation, getDeprecationWarningEmitter };
