'use strict';
// util.format: the %-sequences of console.log.

const { getProxyDetails } = binding('util');
const { formatBigInt, formatNumber, noColor } = require('internal/inspect/value');
const { isBuiltinConstructor } = require('internal/inspect/names');

const { hasOwn } = Object;
const kLetters = 'sjdifOoc';

let circularMessage;

function toJson(value) {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (circularMessage === undefined) {
      const circular = {};
      circular.circular = circular;
      try {
        JSON.stringify(circular);
      } catch (circularError) {
        circularMessage = circularError.message.split('\n', 1)[0];
      }
    }
    // Only a cycle is tolerated; what a toJSON threw is the caller's.
    if (error.name === 'TypeError' && error.message.split('\n', 1)[0] === circularMessage) {
      return '[Circular]';
    }
    throw error;
  }
}

// Whether String(value) would say nothing of interest, so that %s had better inspect.
function hasBuiltinToString(value) {
  const target = getProxyDetails(value, false);
  if (target !== undefined) {
    return target === null || hasBuiltinToString(target);
  }
  const methods = ['toString', Symbol.toPrimitive].filter((key) => typeof value[key] === 'function');
  if (methods.length === 0) return true;
  if (methods.some((key) => hasOwn(value, key))) return false;
  let owner = value;
  do {
    owner = Object.getPrototypeOf(owner);
  } while (!methods.some((key) => hasOwn(owner, key)));
  const descriptor = Object.getOwnPropertyDescriptor(owner, 'constructor');
  return descriptor !== undefined && typeof descriptor.value === 'function' &&
    isBuiltinConstructor(descriptor.value.name);
}

function number(value, numericSeparator) {
  return formatNumber(noColor, value, numericSeparator);
}

function makeFormat(inspect) {
  function asString(value, options) {
    const separator = options?.numericSeparator ?? inspect.defaultOptions.numericSeparator;
    if (typeof value === 'number') return number(value, separator);
    if (typeof value === 'bigint') return formatBigInt(noColor, value, separator);
    if (typeof value !== 'object' || value === null || !hasBuiltinToString(value)) return String(value);
    return inspect(value, { ...options, depth: 0, colors: false, compact: 3 });
  }

  function numeric(value, options, convert) {
    const separator = options?.numericSeparator ?? inspect.defaultOptions.numericSeparator;
    if (typeof value === 'bigint') return formatBigInt(noColor, value, separator);
    return number(typeof value === 'symbol' ? NaN : convert(value), separator);
  }

  // What a %-sequence makes of its argument.
  function convert(letter, value, options) {
    switch (letter) {
      case 's': return asString(value, options);
      case 'j': return toJson(value);
      case 'd':
        return numeric(value, options, Number);
      case 'i':
        return numeric(value, options, Number.parseInt);
      case 'f':
        return number(typeof value === 'symbol' ? NaN : Number.parseFloat(value),
          options?.numericSeparator ?? inspect.defaultOptions.numericSeparator);
      case 'O': return inspect(value, options);
      case 'o': return inspect(value, { ...options, showHidden: true, showProxy: true, depth: 4 });
      default: return ''; // %c: CSS has no meaning in a terminal
    }
  }

  return function formatArguments(options, args) {
    const first = args[0];
    if (args.length === 1) return typeof first === 'string' ? first : inspect(first, options);
    let next = 0;
    let result = '';
    if (typeof first === 'string') {
      let copied = 0;
      next = 1;
      for (let i = first.indexOf('%'); i !== -1 && i < first.length - 1; i = first.indexOf('%', i)) {
        const letter = first[i + 1];
        if (letter === '%') {
          result += `${first.slice(copied, i)}%`;
          copied = i + 2;
        } else if (next < args.length && kLetters.includes(letter)) {
          result += `${first.slice(copied, i)}${convert(letter, args[next++], options)}`;
          copied = i + 2;
        }
        i += 2;
      }
      result += first.slice(copied);
    }
    for (; next < args.length; next++) {
      const value = args[next];
      if (next > 0) result += ' ';
      result += typeof value === 'string' ? value : inspect(value, options);
    }
    return result;
  };
}

module.exports = { makeFormat };
