'use strict';
// URLPattern, of the standard of that name. Here is the class; what patterns are made of is in internal/url/pattern.

const { markClassAsUncloneable } = require('internal/messaging/transferable');
const { parse } = require('internal/url/context');
const { toUSVString } = require('internal/url/percent');
const { compile, kDefaultPorts } = require('internal/url/pattern/components');
const { parseConstructorString } = require('internal/url/pattern/constructor_string');
const { componentsOf, kComponents, processInit } = require('internal/url/pattern/init');

// The order in which Node's objects have them.
const kResults = ['hash', 'hostname', 'inputs', 'password', 'pathname', 'port', 'protocol', 'search', 'username'];

const states = new WeakMap(); // pattern -> its components

function codedError(code, message) {
  const error = new TypeError(message);
  error.code = code;
  return error;
}

function stateOf(pattern) {
  const state = states.get(pattern);
  if (state === undefined) throw new TypeError('Illegal invocation');
  return state;
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

// Only strings count.
function readInit(object) {
  const init = { __proto__: null };
  for (const name of [...kComponents, 'baseURL']) {
    const value = object[name];
    if (typeof value === 'string') init[name] = toUSVString(value);
  }
  return init;
}

// A string or a dictionary.
function readInput(input, message) {
  if (input === undefined || input === null) return { __proto__: null };
  if (typeof input === 'string') return toUSVString(input);
  if (isObject(input)) return readInit(input);
  throw codedError('ERR_INVALID_ARG_TYPE', message);
}

function readOptions(options, message) {
  if (options === undefined || options === null) return { ignoreCase: false };
  if (!isObject(options)) throw codedError('ERR_INVALID_ARG_TYPE', message);
  return { ignoreCase: Boolean(options.ignoreCase) };
}

// What follows the input of the constructor: { baseURL, ignoreCase }
function readRest(rest) {
  if (rest.length >= 2) {
    const [base, options] = rest;
    if (typeof base !== 'string' && base !== null && base !== undefined) {
      throw codedError('ERR_INVALID_ARG_TYPE', 'second argument must be a string');
    }
    return { baseURL: toUSVString(`${base}`), ...readOptions(options, 'options must be an object') };
  }
  if (typeof rest[0] === 'string') return { baseURL: toUSVString(rest[0]), ignoreCase: false };
  return readOptions(rest[0], 'second argument must be a string or object');
}

function toInit(input, baseURL) {
  if (typeof input !== 'string') {
    if (baseURL !== undefined) throw new TypeError('A base URL is only for a string');
    return input;
  }
  const init = parseConstructorString(input);
  if (baseURL === undefined && init.protocol === undefined) throw new TypeError('A relative pattern needs a base URL');
  if (baseURL !== undefined) init.baseURL = baseURL;
  return init;
}

function compilePattern(input, baseURL, ignoreCase) {
  const init = processInit(toInit(input, baseURL), true);
  for (const name of kComponents) init[name] ??= '*';
  if (init.port !== '' && kDefaultPorts[init.protocol] === init.port) init.port = '';
  return compile(init, ignoreCase);
}

const kEmpty = Object.fromEntries(kComponents.map((name) => [name, '']));

// The values to be matched; null if there is no such URL.
function valuesOf(input, baseURL) {
  if (typeof input !== 'string') {
    try {
      return processInit(input, false, kEmpty);
    } catch {
      return null;
    }
  }
  if (baseURL !== undefined && parse(baseURL) === null) return null;
  const context = parse(input, baseURL);
  if (context !== null) return componentsOf(context);
  if (baseURL !== undefined) return null;
  // Without a base, Node takes the rest of a URL for one without a protocol.
  const rest = parse(input, 'plain://');
  return rest === null ? null : { ...componentsOf(rest), protocol: '' };
}

// Reads the arguments of test() and exec(): [input] or [input, baseURL]
function readArguments(args, verb) {
  const input = readInput(args[0], 'URLPattern input needs to be a string or an object');
  let baseURL = args[1];
  if (baseURL === undefined) return [input];
  if (baseURL !== null && typeof baseURL !== 'string') {
    throw codedError('ERR_INVALID_ARG_TYPE', 'baseURL must be a string');
  }
  baseURL = toUSVString(`${baseURL}`);
  if (typeof input !== 'string') throw codedError('ERR_OPERATION_FAILED', `Failed to ${verb} URLPattern`);
  return [input, baseURL];
}

// The dictionary as it is shown.
function shownInput(input) {
  if (typeof input === 'string') return input;
  return Object.fromEntries(Object.entries(input).sort());
}

function URLPattern() {
  if (new.target === undefined) {
    throw codedError('ERR_CONSTRUCT_CALL_REQUIRED', 'Cannot call constructor without `new`');
  }
  const [input, ...rest] = arguments;
  const pattern = readInput(input, 'Input must be an object or a string');
  const { baseURL, ignoreCase } = readRest(rest);
  try {
    states.set(this, compilePattern(pattern, baseURL, ignoreCase));
  } catch {
    throw codedError('ERR_INVALID_URL_PATTERN', 'Failed to construct URLPattern');
  }
}

const methods = {
  exec() {
    const state = stateOf(this);
    const inputs = readArguments(arguments, 'exec');
    const values = valuesOf(...inputs);
    if (values === null) return null;
    const found = { __proto__: null };
    for (const name of kResults) {
      found[name] = name === 'inputs' ? inputs.map(shownInput) : state[name].match(values[name]);
      if (found[name] === null) return null;
    }
    return found;
  },
  test() {
    const state = stateOf(this);
    const values = valuesOf(...readArguments(arguments, 'test'));
    return values !== null && kComponents.every((name) => state[name].test(values[name]));
  },
};

function defineGetter(name, get) {
  Object.defineProperty(get, 'name', { __proto__: null, value: '' });
  Object.defineProperty(URLPattern.prototype, name, { __proto__: null, get, enumerable: true, configurable: false });
}

delete URLPattern.prototype.constructor;
for (const name of kComponents) {
  defineGetter(name, { get() { return stateOf(this)[name].pattern; } }.get);
}
defineGetter('hasRegExpGroups', {
  get() {
    const state = stateOf(this);
    return kComponents.some((name) => state[name].hasRegExpGroups);
  },
}.get);
Object.assign(URLPattern.prototype, methods);
Object.defineProperty(URLPattern.prototype, 'constructor', {
  __proto__: null, value: URLPattern, writable: true, configurable: true,
});

Object.defineProperty(URLPattern.prototype, Symbol.toStringTag, {
  __proto__: null, value: 'URLPattern', configurable: true,
});

markClassAsUncloneable(URLPattern);

module.exports = { URLPattern };
