'use strict';
// Checks of arguments. Each throws Node's error for what is wrong, as if its caller had thrown it.
//
// The check itself comes first and costs nothing more: only an error pays for hiding our frames.

const { codes, hideStackFrames } = require('internal/errors');

const { captureStackTrace } = Error;

const kMaxUint32 = 2 ** 32 - 1;
const kMaxInt32 = 2 ** 31 - 1;
const kMinInt32 = -(2 ** 31);

// ---- Errors that begin with the caller of `validator` ----

function hideFrames(error, validator) {
  if (Error.stackTraceLimit) captureStackTrace(error, validator);
  return error;
}

function typeError(validator, name, expected, value) {
  return hideFrames(new codes.ERR_INVALID_ARG_TYPE(name, expected, value), validator);
}

function valueError(validator, name, value, reason) {
  return hideFrames(new codes.ERR_INVALID_ARG_VALUE(name, value, reason), validator);
}

function rangeError(validator, name, range, value) {
  return hideFrames(new codes.ERR_OUT_OF_RANGE(name, range, value), validator);
}

// ---- Numbers ----

function isInt32(value) {
  return value === (value | 0);
}

function isUint32(value) {
  return value === (value >>> 0);
}

function integerError(validator, value, name, min, max) {
  if (typeof value !== 'number') return typeError(validator, name, 'number', value);
  const range = Number.isInteger(value) ? `>= ${min} && <= ${max}` : 'an integer';
  return rangeError(validator, name, range, value);
}

function validateInteger(value, name,
  min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw integerError(validateInteger, value, name, min, max);
  }
}

function validateInt32(value, name, min = kMinInt32, max = kMaxInt32) {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw integerError(validateInt32, value, name, min, max);
  }
}

function validateUint32(value, name, positive = false) {
  const min = positive ? 1 : 0;
  if (!Number.isInteger(value) || value < min || value > kMaxUint32) {
    throw integerError(validateUint32, value, name, min, kMaxUint32);
  }
}

function validateNumber(value, name, min = undefined, max) {
  if (typeof value !== 'number') throw typeError(validateNumber, name, 'number', value);
  const hasMin = min != null;
  const hasMax = max != null;
  if ((hasMin && value < min) || (hasMax && value > max) ||
      ((hasMin || hasMax) && Number.isNaN(value))) {
    const limits = [];
    if (hasMin) limits.push(`>= ${min}`);
    if (hasMax) limits.push(`<= ${max}`);
    throw rangeError(validateNumber, name, limits.join(' && '), value);
  }
}

// False for "not given": undefined and NaN.
function validateFiniteNumber(value, name) {
  if (Number.isFinite(value)) return true;
  if (value === undefined || Number.isNaN(value)) return false;
  if (typeof value !== 'number') throw typeError(validateFiniteNumber, name, 'number', value);
  throw rangeError(validateFiniteNumber, name, 'a finite number', value);
}

function checkRangesOrGetDefault(value, name, lower, upper, fallback) {
  if (!validateFiniteNumber(value, name)) return fallback;
  if (value < lower || value > upper) {
    throw rangeError(checkRangesOrGetDefault, name, `>= ${lower} and <= ${upper}`, value);
  }
  return value;
}

// A port as a number; numeric strings are ports too.
function validatePort(port, name = 'Port', allowZero = true) {
  if ((typeof port !== 'number' && typeof port !== 'string') ||
      (typeof port === 'string' && port.trim().length === 0) ||
      +port !== (+port >>> 0) ||
      port > 0xFFFF ||
      (port === 0 && !allowZero)) {
    throw hideFrames(new codes.ERR_SOCKET_BAD_PORT(name, port, allowZero), validatePort);
  }
  return port | 0;
}

// A file mode as a number, from a number or an octal string.
function parseFileMode(value, name, fallback) {
  value ??= fallback;
  if (typeof value === 'string') {
    if (!/^[0-7]+$/.test(value)) {
      throw valueError(parseFileMode, name, value,
        'must be a 32-bit unsigned integer or an octal string');
    }
    value = Number.parseInt(value, 8);
  }
  if (!Number.isInteger(value) || value < 0 || value > kMaxUint32) {
    throw integerError(parseFileMode, value, name, 0, kMaxUint32);
  }
  return value;
}

// ---- Strings and choices ----

function validateString(value, name) {
  if (typeof value !== 'string') throw typeError(validateString, name, 'string', value);
}

function validateStringWithoutNullBytes(value, name) {
  if (typeof value !== 'string') throw typeError(validateStringWithoutNullBytes, name, 'string', value);
  if (value.includes('\0')) {
    throw valueError(validateStringWithoutNullBytes, name, value, 'must be a string without null bytes');
  }
}

function validateBoolean(value, name) {
  if (typeof value !== 'boolean') throw typeError(validateBoolean, name, 'boolean', value);
}

// As includes(), which a program may have taken away: -0 is 0, and NaN is NaN.
function isOneOf(value, list) {
  for (let i = 0; i < list.length; i++) {
    if (list[i] === value || Object.is(list[i], value)) return true;
  }
  return false;
}

function validateOneOf(value, name, oneOf) {
  if (!isOneOf(value, oneOf)) {
    const allowed = oneOf
      .map((choice) => (typeof choice === 'string' ? `'${choice}'` : String(choice)))
      .join(', ');
    throw valueError(validateOneOf, name, value, `must be one of: ${allowed}`);
  }
}

function validateUnion(value, name, union) {
  if (!isOneOf(value, union)) {
    throw typeError(validateUnion, name, `('${union.join('|')}')`, value);
  }
}

function validateUndefined(value, name) {
  if (value !== undefined) throw typeError(validateUndefined, name, 'undefined', value);
}

function validateSignalName(signal, name = 'signal') {
  if (typeof signal !== 'string') throw typeError(validateSignalName, name, 'string', signal);
  const { signals } = binding('constants').os;
  if (signals[signal] !== undefined) return;
  const hint = signals[signal.toUpperCase()] === undefined ?
    '' : ' (signals must use all capital letters)';
  throw hideFrames(new codes.ERR_UNKNOWN_SIGNAL(signal + hint), validateSignalName);
}

function validateEncoding(data, encoding) {
  const { length } = data;
  const name = `${encoding}`;
  if (length % 2 !== 0 && name.toLowerCase() === 'hex') {
    throw valueError(validateEncoding, 'encoding', encoding,
      `is invalid for data of length ${length}`);
  }
}

// ---- Objects ----

// What validateObject accepts beside plain objects: a sum of these.
const kValidateObjectNone = 0;
const kValidateObjectAllowNullable = 1;
const kValidateObjectAllowArray = 2;
const kValidateObjectAllowFunction = 4;
const kValidateObjectAllowObjects = kValidateObjectAllowArray | kValidateObjectAllowFunction;
const kValidateObjectAllowObjectsAndNull =
  kValidateObjectAllowObjects | kValidateObjectAllowNullable;

function validateObject(value, name, allow = kValidateObjectNone) {
  if (typeof value === 'object') {
    if (value === null ? (allow & kValidateObjectAllowNullable) !== 0 :
      (allow & kValidateObjectAllowArray) !== 0 || !Array.isArray(value)) return;
  } else if (typeof value === 'function' && (allow & kValidateObjectAllowFunction) !== 0) {
    return;
  }
  throw typeError(validateObject, name, 'Object', value);
}

function validateDictionary(value, name) {
  if (value != null && typeof value !== 'object' && typeof value !== 'function') {
    throw typeError(validateDictionary, name, 'a dictionary', value);
  }
}

function validateFunction(value, name) {
  if (typeof value !== 'function') throw typeError(validateFunction, name, 'Function', value);
}

function validatePlainFunction(value, name) {
  if (typeof value !== 'function' || binding('types').isAsyncFunction(value)) {
    throw typeError(validatePlainFunction, name, 'Function', value);
  }
}

function validateBuffer(buffer, name = 'buffer') {
  if (!ArrayBuffer.isView(buffer)) {
    throw typeError(validateBuffer, name, ['Buffer', 'TypedArray', 'DataView'], buffer);
  }
}

// Anything with `aborted` will do: a signal may come from another implementation.
function isSignal(value) {
  return typeof value === 'object' && value !== null && 'aborted' in value;
}

function validateAbortSignal(signal, name) {
  if (signal !== undefined && !isSignal(signal)) {
    throw typeError(validateAbortSignal, name, 'AbortSignal', signal);
  }
}

// An object that must carry a private symbol of ours: the `this` of a method.
function validateInternalField(object, fieldKey, className) {
  if (typeof object !== 'object' || object === null || !Object.hasOwn(object, fieldKey)) {
    throw hideFrames(new codes.ERR_INVALID_THIS(className), validateInternalField);
  }
}

// ---- Arrays ----

function validateArray(value, name, minLength = 0) {
  if (!Array.isArray(value)) throw typeError(validateArray, name, 'Array', value);
  if (value.length < minLength) {
    throw valueError(validateArray, name, value, `must have a length of at least ${minLength}`);
  }
}

function arrayValidator(validateElement) {
  return hideStackFrames((value, name) => {
    validateArray(value, name);
    for (let i = 0; i < value.length; ++i) validateElement(value[i], `${name}[${i}]`);
  });
}

const validateStringArray = arrayValidator(validateString);
const validateBooleanArray = arrayValidator(validateBoolean);

// ---- HTTP ----

// <target>, then any number of ;name or ;name=value or ;name="value"
const kLinkValue = /^<[^>\r\n]*>(?:\s*;\s*[^;"\s]+(?:="[^;"\s]*"|=[^;"\s]*)?)*$/;
const kLinkFormat = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';

// The text of a Link header, from a text or an array of texts.
function validateLinkHeaderValue(hints) {
  const links = Array.isArray(hints) ? hints : [hints];
  for (const link of links) {
    if (typeof link !== 'string' || !kLinkValue.test(link)) {
      throw valueError(validateLinkHeaderValue, 'hints', Array.isArray(hints) ? link : hints,
        kLinkFormat);
    }
  }
  return links.join(', ');
}

const validators = {
  checkRangesOrGetDefault,
  isInt32,
  isUint32,
  kValidateObjectAllowArray,
  kValidateObjectAllowFunction,
  kValidateObjectAllowNullable,
  kValidateObjectAllowObjects,
  kValidateObjectAllowObjectsAndNull,
  kValidateObjectNone,
  parseFileMode,
  validateAbortSignal,
  validateArray,
  validateBoolean,
  validateBooleanArray,
  validateBuffer,
  validateDictionary,
  validateEncoding,
  validateFiniteNumber,
  validateFunction,
  validateInt32,
  validateInteger,
  validateInternalField,
  validateLinkHeaderValue,
  validateNumber,
  validateObject,
  validateOneOf,
  validatePlainFunction,
  validatePort,
  validateSignalName,
  validateString,
  validateStringWithoutNullBytes,
  validateStringArray,
  validateUint32,
  validateUndefined,
  validateUnion,
};

// What Node's own files call where the frames are hidden anyway.
for (const name of Object.keys(validators)) {
  if (typeof validators[name] === 'function') validators[name].withoutStackTrace ??= validators[name];
}

module.exports = validators;
