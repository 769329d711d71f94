'use strict';
// process.finalization: functions that are called with an object when the process exits, if the object is still alive.

const { emitExperimentalWarning } = require('internal/util');
const { kValidateObjectAllowFunction, validateObject } = require('internal/validators');

const kEvents = ['exit', 'beforeExit'];

// For each event, weak references to the objects, with the function in `callback`; and the listener of process, which
// is there while there are any.
const references = { __proto__: null, exit: new Set(), beforeExit: new Set() };
const listeners = {
  __proto__: null,
  exit() { callAll('exit'); },
  beforeExit() { callAll('beforeExit'); },
};
let registry;

function callAll(event) {
  for (const reference of references[event]) {
    const object = reference.deref();
    if (object !== undefined) reference.callback.call(undefined, object, event);
  }
  references[event].clear();
}

function stopIfEmpty(event) {
  if (references[event].size > 0) return;
  process.removeListener(event, listeners[event]);
  if (kEvents.every((name) => references[name].size === 0)) registry = undefined;
}

function forget(reference) {
  for (const event of kEvents) {
    if (references[event].delete(reference)) stopIfEmpty(event);
  }
}

function add(event, object, callback) {
  if (references[event].size === 0) process.on(event, listeners[event]);
  const reference = new WeakRef(object);
  reference.callback = callback;
  registry ??= new FinalizationRegistry(forget);
  registry.register(object, reference);
  references[event].add(reference);
}

function register(obj, fn) {
  emitExperimentalWarning('process.finalization.register');
  validateObject(obj, 'obj', kValidateObjectAllowFunction);
  add('exit', obj, fn);
}

function registerBeforeExit(obj, fn) {
  emitExperimentalWarning('process.finalization.registerBeforeExit');
  validateObject(obj, 'obj', kValidateObjectAllowFunction);
  add('beforeExit', obj, fn);
}

function unregister(obj) {
  emitExperimentalWarning('process.finalization.unregister');
  if (registry === undefined) return;
  for (const event of kEvents) {
    for (const reference of references[event]) {
      const object = reference.deref();
      if (object === undefined || object === obj) references[event].delete(reference);
    }
    stopIfEmpty(event);
  }
}

module.exports = { register, registerBeforeExit, unregister };
