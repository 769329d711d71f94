'use strict';
// node:util.

const {
  codes: { ERR_INVALID_ARG_TYPE, ERR_INVALID_ARG_VALUE, ERR_OUT_OF_RANGE },
} = require('internal/errors');
const {
  validateBoolean, validateInteger, validateNumber, validateObject, validateOneOf, validateString,
} = require('internal/validators');
const {
  format, formatWithOptions, inspect, stripVTControlCharacters,
} = require('internal/util/inspect');
const { getOptionValue } = require('internal/options');
const types = require('internal/util/types');
const { callbackify, promisify } = require('internal/util/promisify');
const { debuglog } = require('internal/util/debuglog');
const { deprecate: internalDeprecate } = require('internal/util/deprecate');
const { defineLazyProperties } = binding('util');

// ---- what older programs still use ----

function inherits(ctor, superCtor) {
  if (ctor === undefined || ctor === null) throw new ERR_INVALID_ARG_TYPE('ctor', 'Function', ctor);
  if (superCtor === undefined || superCtor === null) {
    throw new ERR_INVALID_ARG_TYPE('superCtor', 'Function', superCtor);
  }
  if (superCtor.prototype === undefined) {
    throw new ERR_INVALID_ARG_TYPE('superCtor.prototype', 'Object', superCtor.prototype);
  }
  Object.defineProperty(ctor, 'super_', {
    __proto__: null,
    value: superCtor,
    writable: true,
    configurable: true,
  });
  Object.setPrototypeOf(ctor.prototype, superCtor.prototype);
}

function _extend(target, source) {
  if (source === null || typeof source !== 'object') return target;
  for (const key of Object.keys(source).reverse()) target[key] = source[key]; // Node begins with the last
  return target;
}

function deprecate(fn, msg, code, { modifyPrototype } = {}) {
  return internalDeprecate(fn, msg, code, undefined, modifyPrototype);
}

// ---- system errors ----

function checkErrno(err) {
  validateNumber(err, 'err');
  if (err >= 0 || !Number.isSafeInteger(err)) {
    throw new ERR_OUT_OF_RANGE('err', 'a negative integer', err);
  }
}

function getSystemErrorName(err) {
  checkErrno(err);
  const entry = getSystemErrorMap().get(err);
  return entry === undefined ? `Unknown system error ${err}` : entry[0];
}

function getSystemErrorMessage(err) {
  checkErrno(err);
  return getSystemErrorMap().get(err)?.[1] ?? `Unknown system error ${err}`;
}

// The exit code that a shell gives a process that was ended by the signal.
function convertProcessSignalToExitCode(signalCode) {
  const { signals } = require('os').constants;
  validateOneOf(signalCode, 'signalCode', Object.keys(signals));
  return 128 + signals[signalCode];
}

function getSystemErrorMap() {
  return binding('uv').getErrorMap();
}

// The stack begins where `fn` was called.
function withStackFrom(fn, error) {
  Error.captureStackTrace(error, fn);
  return error;
}

function _errnoException(...args) {
  checkErrno(args[0]);
  const { ErrnoException } = require('internal/errors');
  return withStackFrom(_errnoException, new ErrnoException(...args));
}

function _exceptionWithHostPort(...args) {
  checkErrno(args[0]);
  const { ExceptionWithHostPort } = require('internal/errors');
  return withStackFrom(_exceptionWithHostPort, new ExceptionWithHostPort(...args));
}

// ---- stacks ----

// getCallSites([frameCount][, options])
function getCallSites(frameCount = 10, options = undefined) {
  if (options === undefined && typeof frameCount === 'object') {
    options = frameCount;
    frameCount = 10;
    validateObject(options, 'options');
  } else if (options !== undefined) {
    validateObject(options, 'options');
  }
  if (options?.sourceMap !== undefined) validateBoolean(options.sourceMap, 'options.sourceMap');
  validateInteger(frameCount, 'frameCount', 1, 200);
  const sites = binding('util').getCallSites(frameCount);
  const isMapped = options?.sourceMap ?? getOptionValue('--enable-source-maps') === true;
  return isMapped ? require('internal/source_map/stacks').mapCallSites(sites) : sites;
}

// ---- text ----

function escapeCode(code) {
  return `\u001b[${code}m`;
}

// What ends a format inside the text begins it again; bold and dim share their end, which has to stay.
function reopen(text, open, close) {
  const ending = escapeCode(close);
  const again = (open === 1 || open === 2 ? ending : '') + escapeCode(open);
  const trailing = text.endsWith(ending) ? ending : '';
  return text.slice(0, text.length - trailing.length).replaceAll(ending, again) + trailing;
}

// "#rgb" and "#rrggbb" are colours of 24 bits.
function codesOf(format) {
  if (typeof format === 'string' && format[0] === '#') {
    if (!/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(format)) {
      throw new ERR_INVALID_ARG_VALUE('format', format, 'must be a valid hex color (#RGB or #RRGGBB)');
    }
    const digits = format.length === 4 ? format.replace(/[^#]/g, '$&$&') : format;
    const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16));
    return [`38;2;${red};${green};${blue}`, 39];
  }
  const codes = inspect.colors[format];
  if (!codes) validateOneOf(format, 'format', Object.getOwnPropertyNames(inspect.colors));
  return codes;
}

function styleText(format, text, options) {
  const validateStream = options?.validateStream ?? true;
  validateString(text, 'text');
  if (options !== undefined) validateObject(options, 'options');
  validateBoolean(validateStream, 'options.validateStream');
  let plain = false;
  if (validateStream) {
    const stream = options?.stream ?? process.stdout;
    if (!isStream(stream)) {
      throw new ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
    }
    plain = !require('internal/util/colors').shouldColorize(stream);
  }
  let opening = '';
  let closing = '';
  let inner = text;
  for (const each of Array.isArray(format) ? format : [format]) {
    if (each === 'none') continue;
    const [open, close] = codesOf(each);
    opening += escapeCode(open);
    closing = escapeCode(close) + closing;
    inner = reopen(inner, open, close);
  }
  return plain ? text : opening + inner + closing;
}

function isStream(value) {
  if (value === null || typeof value !== 'object') return false;
  if (typeof value.getReader === 'function' || typeof value.getWriter === 'function') return true;
  return Boolean(value._readableState || value._writableState) ||
    (typeof value.write === 'function' && typeof value.on === 'function') ||
    (typeof value.pipe === 'function' && typeof value.on === 'function');
}

const kLoneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function toUSVString(input) {
  return `${input}`.replace(kLoneSurrogate, '\ufffd');
}

function parseEnv(content) {
  validateString(content, 'content');
  return binding('util').parseEnv(content);
}

// ---- objects ----

function isDeepStrictEqual(a, b, skipPrototype) {
  return require('internal/util/comparisons').isDeepStrictEqual(a, b, skipPrototype);
}

function markPromiseAsHandled(promise) {
  if (!types.isPromise(promise)) throw new ERR_INVALID_ARG_TYPE('promise', 'Promise', promise);
  binding('util').markPromiseAsHandled(promise);
  require('internal/process/promises').promiseHandled(promise);
}

module.exports = {
  _errnoException,
  _exceptionWithHostPort,
  _extend: internalDeprecate(_extend,
    'The `util._extend` API is deprecated. Please use ' +
    'Object.assign() instead.', 'DEP0060'),
  callbackify,
  convertProcessSignalToExitCode,
  debug: debuglog,
  debuglog,
  deprecate,
  format,
  styleText,
  formatWithOptions,
  getCallSites,
  getSystemErrorMap,
  getSystemErrorName,
  getSystemErrorMessage,
  inherits,
  inspect,
  isArray: internalDeprecate(Array.isArray,
    'The `util.isArray` API is deprecated. Please use `Array.isArray()` instead.', 'DEP0044'),
  isDeepStrictEqual,
  markPromiseAsHandled,
  promisify,
  stripVTControlCharacters,
  toUSVString,
  get transferableAbortSignal() { return require('internal/abort_controller').transferableAbortSignal; },
  get transferableAbortController() { return require('internal/abort_controller').transferableAbortController; },
  get aborted() { return require('internal/abort_controller').aborted; },
  types,
  parseEnv,
};

// Loaded on first use: most programs never need it.
defineLazyProperties(module.exports, ['parseArgs'], 'internal/util/parse_args', true);
defineLazyProperties(module.exports, ['TextDecoder', 'TextEncoder'], 'internal/encoding', true);
defineLazyProperties(module.exports, ['MIMEType', 'MIMEParams'], 'internal/util/mime', true);
defineLazyProperties(module.exports, ['diff'], 'internal/util/diff', true);
Object.defineProperties(module.exports, {
  debounce: { __proto__: null, get() { return require('internal/util/debounce'); }, enumerable: true, configurable: true },
  throttle: { __proto__: null, get() { return require('internal/util/throttle'); }, enumerable: true, configurable: true },
});
defineLazyProperties(module.exports, ['setTraceSigInt'], 'internal/util/trace_sigint', true);
