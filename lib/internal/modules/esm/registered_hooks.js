'use strict';
// module.register() and --experimental-loader: modules whose functions resolve() and load() take part in import.
// They may be asynchronous; so a graph of modules is first gone through with them, and what they answered is kept
// (prefetch). After that it is loaded and linked as always, from these answers.
//
// Node runs these modules on a thread of their own. Here they run on the thread that registers them: a function that
// has to answer at once (import.meta.resolve, require() of what import loaded) may await microtasks, but no more.

const { codes } = require('internal/errors');
const { conditions } = require('internal/modules/conditions');
const { registered } = require('internal/modules/customization_hooks');
const { URL, isURL } = require('internal/url');
const { validateObject, validateString } = require('internal/validators');
const { isAnyArrayBuffer, isArrayBufferView, isPromise } = require('internal/util/types');
const { constants: { kFulfilled, kPending }, getPromiseDetails } = binding('util');
const { runMicrotasks } = binding('task_queue');

const chains = { resolve: [], load: [] }; // { fn, url }, the first is asked last
let ready = Promise.resolve(); // when all that was registered is set up

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

// `byDefault(specifier, context)` and `readByDefault(url, context)` are those of the loader.
async function resolveAsync(specifier, parentURL, importAttributes, byDefault) {
  const context = { conditions: [...conditions.import], importAttributes, parentURL };
  const { output, where } = await runChain('resolve',
    { fn: byDefault, url: 'node:internal/modules/esm/resolve' }, validateResolveArguments, specifier,
    context);
  const { format, url } = output;
  check(typeof url === 'string' && URL.canParse(url), 'a URL string', where, 'url', url);
  const attributes = output.importAttributes;
  check(attributes == null || typeof attributes === 'object', 'an object', where,
    'importAttributes', attributes);
  check(format == null || typeof format === 'string', 'a string', where, 'format', format);
  return { __proto__: null, format, importAttributes: attributes, url };
}

async function loadAsync(url, format, importAttributes, readByDefault) {
  const context = { conditions: [...conditions.import], importAttributes, format };
  const { output, where } = await runChain('load',
    { fn: readByDefault, url: 'node:internal/modules/esm/load' }, validateLoadArguments, url, context);
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

// What a promise came to, now.
function settle(promise) {
  let [state, result] = getPromiseDetails(promise);
  if (state === kPending) {
    runMicrotasks();
    [state, result] = getPromiseDetails(promise);
  }
  if (state === kFulfilled) return result;
  promise.catch(() => {});
  if (state !== kPending) throw result;
  throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM(
    'waiting for hooks of module.register() that do not answer at once');
}

// ---- Registering ----

// The exports of a module of hooks, at once if nothing in it awaits.
function importHooks(specifier, parentURL) {
  const { importForHooks, importNow } = require('internal/modules/esm/loader');
  return chains.resolve.length === 0 && chains.load.length === 0 ? importNow(specifier, parentURL) :
    importForHooks(specifier, parentURL);
}

function add(specifier, parentURL, data) {
  const exports = importHooks(specifier, parentURL);
  return isPromise(exports) ? exports.then((exports) => addExports(specifier, exports, data)) :
    addExports(specifier, exports, data);
}

// -> a promise if it takes time
function addExports(specifier, { initialize, load, resolve }, data) {
  // Programs may change what they export; hooks are as they were.
  if (resolve) chains.resolve.push({ fn: resolve.bind(null), url: specifier });
  if (load) chains.load.push({ fn: load.bind(null), url: specifier });
  registered.isActive = true;
  return initialize?.(data);
}

let isDeprecationShown = false;

function warnOfDeprecation() {
  if (isDeprecationShown) return;
  isDeprecationShown = true;
  process.emitWarning('`module.register()` is deprecated. Use `module.registerHooks()` instead.',
    'DeprecationWarning', 'DEP0205');
}

function clone(data, transferList) {
  if (data === undefined) return undefined;
  return require('internal/messaging/structured_clone').structuredClone(data, { transfer: transferList ?? [] });
}

// register(specifier[, parentURL][, options])
function register(specifier, parentURL = undefined, options = undefined) {
  warnOfDeprecation();
  if (parentURL != null && typeof parentURL === 'object' && !isURL(parentURL)) {
    options = parentURL;
    parentURL = options.parentURL;
  }
  addNow(`${specifier}`, `${parentURL ?? 'data:'}`, clone(options?.data, options?.transferList));
}

// What is not ready when this returns is awaited before the next import.
function addNow(specifier, parentURL, data) {
  const added = add(specifier, parentURL, data);
  if (!isPromise(added)) return;
  if (getPromiseDetails(added)[0] === kPending) runMicrotasks();
  const [state, error] = getPromiseDetails(added);
  if (state === kPending) {
    registered.isActive = true;
    ready = ready.then(() => added);
    return;
  }
  if (state === kFulfilled) return;
  added.catch(() => {});
  throw error;
}

// --experimental-loader, before the program.
async function addLoaders(specifiers, parentURL) {
  for (const specifier of specifiers) await add(specifier, parentURL, undefined);
}

// Before an import of the program.
function whenReady() {
  return ready;
}

module.exports = { addLoaders, loadAsync, register, resolveAsync, settle, whenReady };
