'use strict';
// Conversions of Web IDL: what the standards of the web demand of arguments, and the texts of their
// errors. `context` names the argument.

function conversionError(context, message) {
  const error = new TypeError(`${context} ${message}`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
}

function toText(value, context) {
  if (typeof value === 'symbol') throw conversionError(context, 'is a Symbol and cannot be converted to a string.');
  return String(value);
}

function toNumber(value, context) {
  if (typeof value === 'bigint' || typeof value === 'symbol') {
    const kind = typeof value === 'bigint' ? 'BigInt' : 'Symbol';
    throw conversionError(context, `is a ${kind} and cannot be converted to a number.`);
  }
  return +value;
}

// A whole number that a double can hold: the nearest, the even one of two.
function toClampedInteger(value, context) {
  const number = toNumber(value, context);
  if (Number.isNaN(number)) return 0;
  const limited = Math.min(Math.max(number, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER);
  const floor = Math.floor(limited);
  const rest = limited - floor;
  if (rest < 0.5 || (rest === 0.5 && floor % 2 === 0)) return floor + 0; // no -0
  return floor + 1;
}

function isObject(value) {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

// A list of what an iterable gives, each item converted by `convert(item, context)`.
function toSequence(value, context, convert) {
  const refuse = () => conversionError(context, 'cannot be converted to sequence.');
  if (!isObject(value)) throw refuse();
  const method = value[Symbol.iterator];
  if (typeof method !== 'function') throw refuse();
  const iterator = Reflect.apply(method, value, []);
  if (!isObject(iterator)) throw refuse();
  const { next } = iterator;
  if (typeof next !== 'function') throw refuse();
  const list = [];
  while (true) {
    const result = Reflect.apply(next, iterator, []);
    if (!isObject(result)) throw refuse();
    if (result.done) return list;
    list.push(convert(result.value, `${context}[${list.length}]`));
  }
}

module.exports = { conversionError, isObject, toClampedInteger, toNumber, toSequence, toText };
