'use strict';
// module.registerHooks(): functions of the program that take part in finding and loading modules,
// by require() and by import. The last one registered is asked first, and asks the next.

const { ERR_INVALID_RETURN_PROPERTY_VALUE } = require('internal/errors').codes;
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');
const { validateFunction } = require('internal/validators');

// Looked at for each module: empty means that nothing here is called.
const resolveHooks = [];
const loadHooks = [];
// Whether there are hooks of module.register(), and whether this is the thread that they run on
// (internal/modules/esm/registered_hooks).
const registered = { isActive: false, isHere: false };

const kId = Symbol('kModuleHooksIdKey');
let lastHook = 0;

function remove(hooks, id) {
  const index = hooks.findIndex((entry) => entry[kId] === id);
  if (index !== -1) hooks.splice(index, 1);
}

class ModuleHooks {
  constructor(resolve, load) {
    this[kId] = Symbol(`module-hook-${lastHook++}`);
    this.resolve = resolve;
    this.load = load;
    if (resolve) resolveHooks.push(this);
    if (load) loadHooks.push(this);
    Object.freeze(this);
  }

  deregister() {
    remove(resolveHooks, this[kId]);
    remove(loadHooks, this[kId]);
  }
}

ModuleHooks.prototype[Symbol.dispose] = ModuleHooks.prototype.deregister;

function registerHooks(hooks) {
  const { resolve, load } = hooks;
  if (resolve) validateFunction(resolve, 'hooks.resolve');
  if (load) validateFunction(load, 'hooks.load');
  return new ModuleHooks(resolve, load);
}

// Calls the last of `hooks`, which may call the one before it, and so on down to `defaultStep`. A
// hook that does not has to say so. What one of them changes in the context, all see.
function runChain(name, hooks, defaultStep, validate, context, argument) {
  const steps = [defaultStep];
  for (let i = 0; i < hooks.length; ++i) steps.push(hooks[i][name]);
  let reached = steps.length;

  function stepAt(index) {
    const step = steps[index];
    const next = index > 0 ? stepAt(index - 1) : undefined;
    return function nextStep(argument, changes) {
      reached = index;
      if (changes && changes !== context) Object.assign(context, changes);
      const result = step(argument, context, next);
      if (index > 0 && reached === index && !result.shortCircuit) {
        throw new ERR_INVALID_RETURN_PROPERTY_VALUE('true', name, 'shortCircuit',
          result.shortCircuit);
      }
      return validate(argument, result);
    };
  }

  return stepAt(steps.length - 1)(argument, context);
}

function check(isValid, expected, hook, property, value) {
  if (!isValid) throw new ERR_INVALID_RETURN_PROPERTY_VALUE(expected, hook, property, value);
}

function validateResolved(specifier, { url, format, importAttributes }) {
  check(typeof url === 'string', 'a URL string', 'resolve', 'url', url);
  check(!format || typeof format === 'string', 'a string', 'resolve', 'format', format);
  check(!importAttributes || typeof importAttributes === 'object', 'an object', 'resolve',
    'importAttributes', importAttributes);
  return { __proto__: null, url, format, importAttributes };
}

function isSource(source) {
  return typeof source === 'string' || isAnyArrayBuffer(source) || isArrayBufferView(source);
}

function validateLoaded(url, result) {
  const { format, source } = result;
  // A builtin has no source, and an addon is read by the system.
  check(isSource(source) || url.startsWith('node:') || format === 'addon',
    'a string, an ArrayBuffer, or a TypedArray', 'load', 'source', source);
  check(typeof format === 'string' || format === undefined, 'a string', 'load', 'format', format);
  return result;
}

// For import, where a CommonJS module may leave reading its source to require().
function validateLoadedOrCommonJs(url, result) {
  if (result.format === 'commonjs' && result.source == null) return result;
  return validateLoaded(url, result);
}

// As programs see them: an instance of a class, with these fields in this order.
class ModuleResolveContext {
  constructor(parentURL, importAttributes, conditions) {
    this.parentURL = parentURL;
    this.importAttributes = importAttributes;
    this.conditions = conditions;
  }
}

class ModuleLoadContext {
  constructor(format, importAttributes, conditions) {
    this.format = format;
    this.importAttributes = importAttributes;
    this.conditions = conditions;
  }
}

// -> { url, format, importAttributes }
function resolveWithHooks(specifier, parentURL, importAttributes, conditions, defaultResolve) {
  const context = new ModuleResolveContext(parentURL, importAttributes, conditions);
  return runChain('resolve', resolveHooks, defaultResolve, validateResolved, context, specifier);
}

// Those whose source is text.
const kTextFormats = new Set([undefined, 'module', 'commonjs', 'json', 'module-typescript',
  'commonjs-typescript', 'typescript']);

function toText(source) {
  if (typeof source === 'string') return source;
  const { TextDecoder } = require('internal/encoding');
  return new TextDecoder().decode(source);
}

// -> { format, source }, the source as a string where the format is one of text.
function loadWithHooks(url, format, importAttributes, conditions, defaultLoad, isImport) {
  const context = new ModuleLoadContext(format, importAttributes, conditions);
  const result = runChain('load', loadHooks, defaultLoad,
    isImport ? validateLoadedOrCommonJs : validateLoaded, context, url);
  return withText(result);
}

function withText(loaded) {
  if (isSource(loaded.source) && kTextFormats.has(loaded.format)) {
    loaded.source = toText(loaded.source);
  }
  return loaded;
}

module.exports = {
  loadHooks, loadWithHooks, registerHooks, registered, resolveHooks, resolveWithHooks,
  withText,
};
