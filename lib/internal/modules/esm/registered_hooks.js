'use strict';
// module.register() and --experimental-loader: modules whose functions resolve() and load() take part in import.
// They run on a thread of their own (internal/modules/esm/hooks_worker), where this file runs too, except register().
// The threads of the program send requests to it by internal/modules/esm/hooks_thread.

const { Module } = require('internal/modules/cjs/loader');
const { codes } = require('internal/errors');
const { importConditions } = require('internal/modules/conditions');
const { registered } = require('internal/modules/customization_hooks');
const { URL, isURL } = require('internal/url');
const { validateObject, validateString } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView } = require('internal/util/types');

// { fn, url }, the first is asked last.
const chains = { resolve: [], load: [] };

// ---- Chains ----

function validateResolveArguments(where, specifier, context) {
  validateString(specifier, `${where} specifier`);
  if (context) validateObject(context, `${where} context`);
}

function validateLoadArguments(where, url, context) {
  if (typeof url !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE(`${where} url`, 'a URL string', url);
  }
  if (!URL.canParse(url)) {
    throw new codes.ERR_INVALID_ARG_VALUE(`${where} url`, url, 'should be a URL string');
  }
  if (context) validateObject(context, `${where} context`);
}

function validateOutput(where, output) {
  if (typeof output !== 'object' || output === null) {
    throw new codes.ERR_INVALID_RETURN_VALUE('an object', where, output);
  }
}

// Calls the last function of a chain, which may call the one before it, and so on down to `last`.
// -> { output, where }: what was returned, and by whom
async function runChain(name, last, validateArguments, argument, context) {
  const steps = [last, ...chains[name]];
  const nextName = `next${name[0].toUpperCase()}${name.slice(1)}`;
  let where;
  let isComplete = false;

  function stepAt(index) {
    const { fn, url } = steps[index];
    const next = index > 0 ? stepAt(index - 1) : undefined;
    return { async [nextName](argument = undefined, changes) {
      where = `${url} '${name}'`;
      validateArguments(`${where} hook's ${nextName}()`, argument, changes);
      if (index === 0) isComplete = true;
      if (changes) Object.assign(context, changes);
      const output = await fn(argument, context, next);
      validateOutput(`${url} '${name}' hook's ${nextName}()`, output);
      if (output.shortCircuit === true) isComplete = true;
      return output;
    } }[nextName];
  }

  const output = await stepAt(steps.length - 1)(argument, context);
  validateOutput(where, output);
  if (!isComplete) throw new codes.ERR_LOADER_CHAIN_INCOMPLETE(where);
  return { output, where };
}

function check(isValid, expected, where, property, value) {
  if (isValid) return;
  throw new codes.ERR_INVALID_RETURN_PROPERTY_VALUE(expected, where, property, value);
}

let isAliasWarned = false;

function warnOfAlias() {
  if (isAliasWarned) return;
  isAliasWarned = true;
  process.emitWarning('Use `importAttributes` instead of `importAssertions`', 'ExperimentalWarning');
}

// The attributes under the name that they had before.
function addAlias(context) {
  return Object.defineProperty(context, 'importAssertions', {
    __proto__: null,
    configurable: true,
    get() {
      warnOfAlias();
      return this.importAttributes;
    },
    set(value) {
      warnOfAlias();
      this.importAttributes = value;
    },
  });
}

function attributesOf(object) {
  if ('importAttributes' in object || !('importAssertions' in object)) return object.importAttributes;
  warnOfAlias();
  return object.importAssertions;
}

async function resolve(specifier, parentURL, importAttributes = { __proto__: null }) {
  const { resolveByDefault } = require('internal/modules/esm/loader');
  const context = addAlias({ conditions: importConditions(), importAttributes, parentURL });
  const { output, where } = await runChain('resolve',
    { fn: resolveByDefault, url: 'node:internal/modules/esm/resolve' }, validateResolveArguments, specifier,
    context);
  const { format, url } = output;
  check(typeof url === 'string' && URL.canParse(url), 'a URL string', where, 'url', url);
  const attributes = attributesOf(output);
  check(attributes == null || typeof attributes === 'object', 'an object', where,
    'importAttributes', attributes);
  check(format == null || typeof format === 'string', 'a string', where, 'format', format);
  return { __proto__: null, format, importAttributes: attributes, url };
}

function loadByDefault(url, context) {
  const { loadForHooks } = require('internal/modules/esm/loader');
  return loadForHooks(url, context, attributesOf(context));
}

// context: { format, importAttributes }
async function load(url, context) {
  const { output, where } = await runChain('load',
    { fn: loadByDefault, url: 'node:internal/modules/esm/load' }, validateLoadArguments, url, addAlias(context));
  const { responseURL = url, source } = output;
  check(typeof responseURL === 'string' && URL.parse(responseURL)?.href === responseURL,
    'undefined or a fully resolved URL string', where, 'responseURL', responseURL);
  if (output.format == null) {
    throw new codes.ERR_UNKNOWN_MODULE_FORMAT(output.format, url);
  }
  check(typeof output.format === 'string', 'a string', where, 'format', output.format);
  check(source == null || typeof source === 'string' || isAnyArrayBuffer(source) ||
    isArrayBufferView(source), 'a string, an ArrayBuffer, or a TypedArray', where, 'source', source);
  return { __proto__: null, format: output.format, responseURL, source };
}

// ---- Registering ----

let isPreloadWarned = false;

function warnOfPreload() {
  if (isPreloadWarned) return;
  isPreloadWarned = true;
  process.emitWarning('`globalPreload` has been removed; use `initialize` instead.', 'UnsupportedWarning');
}

// On the thread of the hooks.
async function registerHere(specifier, parentURL, data) {
  const { importModule } = require('internal/modules/esm/loader');
  const hooks = await importModule(specifier, parentURL, undefined);
  const { globalPreload, initialize, load, resolve } = hooks;
  if (!initialize && globalPreload) warnOfPreload();
  // Programs may change what they export; hooks are as they were.
  if (resolve) chains.resolve.push({ fn: resolve, url: specifier });
  if (load) chains.load.push({ fn: load, url: specifier });
  await initialize?.(data);
}

// The first thing that this thread does.
async function startHere(required, loaders) {
  const { baseUrl, prepare } = require('internal/modules/run_main');
  registered.isHere = true;
  registered.isActive = true;
  prepare({ require: [], import: [] });
  if (required.length > 0) Module._preloadModules(required);
  for (const specifier of loaders) await registerHere(specifier, baseUrl(), undefined);
}

let isDeprecationShown = false;

function warnOfDeprecation() {
  if (isDeprecationShown) return;
  isDeprecationShown = true;
  process.emitWarning('`module.register()` is deprecated. Use `module.registerHooks()` instead.',
    'DeprecationWarning', 'DEP0205');
}

// register(specifier[, parentURL][, options])
function register(specifier, parentURL = undefined, options = undefined) {
  warnOfDeprecation();
  if (parentURL != null && typeof parentURL === 'object' && !isURL(parentURL)) {
    options = parentURL;
    parentURL = options.parentURL;
  }
  const args = [`${specifier}`, `${parentURL ?? 'data:'}`, options?.data];
  if (registered.isHere) {
    registerHere(...args);
    return;
  }
  const { hooksThread } = require('internal/modules/esm/hooks_thread');
  hooksThread().call('register', args, options?.transferList);
}

module.exports = { load, register, registerHere, resolve, startHere };
