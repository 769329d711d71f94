'use strict';
// The clock of perf_hooks, and what its classes share.

const native = binding('performance');
const { codes } = require('internal/errors');
const inspectCustom = Symbol.for('nodejs.util.inspect.custom');

// Milliseconds since the beginning of the process.
const { now } = native;

function timeOriginTimestamp() {
  return native.getTimeOriginTimestamp();
}

// Given to the constructors that programs may not call.
const kSkipThrow = Symbol('kSkipThrow');

function refuse(token) {
  if (token !== kSkipThrow) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
}

function validateThis(value, field, className) {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) {
    throw new codes.ERR_INVALID_THIS(className);
  }
}

function requireArguments(args, name) {
  if (args.length === 0) throw new codes.ERR_MISSING_ARGS(name);
}

// "Name { ... }", with what `values` has.
function inspectAs(name, value, values, depth, options) {
  if (depth < 0) return `[${value.constructor.name}]`;
  const { inspect } = require('internal/util/inspect');
  const inner = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${inspect(values, inner)}`;
}

// Accessors and methods as those of the web: visible.
function makeEnumerable(prototype, names) {
  for (const name of names) {
    Object.defineProperty(prototype, name, { enumerable: true });
  }
}

function setToStringTag(prototype, value) {
  Object.defineProperty(prototype, Symbol.toStringTag,
    { value, writable: false, enumerable: false, configurable: true });
}

module.exports = {
  now,
  timeOriginTimestamp,
  kSkipThrow,
  refuse,
  validateThis,
  requireArguments,
  inspectCustom,
  inspectAs,
  makeEnumerable,
  setToStringTag,
};
