'use strict';
// Conversions of Web IDL: what the standards of the web demand of arguments, and the texts of their
// errors. `context` names the argument.

function conversionError(context, message) {
  const error = new TypeError(`${context} ${message}`);
  error.code = 'ERR_INVALID_ARG_TYPE';
  return error;
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

module.exports = { conversionError, isObject, toSequence };
