'use strict';
// How a Buffer is shown: <Buffer 68 69>, with properties that a program added.

const {
  constants: { ALL_PROPERTIES, ONLY_ENUMERABLE }, getOwnNonIndexProperties,
} = binding('util');
const { hexSlice } = binding('buffer');
const { validateNumber } = require('internal/validators');

let maxBytes = 50;

function getMaxBytes() {
  return maxBytes;
}

function setMaxBytes(value) {
  validateNumber(value, 'INSPECT_MAX_BYTES', 0);
  maxBytes = value;
}

// The properties as inspect() shows those of an object, without its braces.
function showProperties(buffer, keys, context) {
  const { inspect } = require('internal/util/inspect');
  const shown = { __proto__: null };
  for (const key of keys) shown[key] = buffer[key];
  const text = inspect(shown, { ...context, breakLength: Infinity, compact: true });
  return text.slice('[Object: null prototype] { '.length, -2);
}

function inspect(recurseTimes, ctx) {
  const shownBytes = Math.min(maxBytes, this.length);
  const remaining = this.length - maxBytes;
  let text = hexSlice.call(this, 0, shownBytes).replace(/(.{2})/g, '$1 ').trim();
  if (remaining > 0) text += ` ... ${remaining} more byte${remaining > 1 ? 's' : ''}`;
  if (ctx) {
    const filter = ctx.showHidden ? ALL_PROPERTIES : ONLY_ENUMERABLE;
    const keys = getOwnNonIndexProperties(this, filter);
    if (keys.length > 0) {
      if (this.length !== 0) text += ', ';
      text += showProperties(this, keys, ctx);
    }
  }
  let name = 'Buffer';
  try {
    const { constructor } = this;
    if (typeof constructor === 'function' && Object.hasOwn(constructor, 'name')) {
      ({ name } = constructor);
    }
  } catch {
    // A getter that throws does not change what is shown.
  }
  return `<${name} ${text}>`;
}

module.exports = { getMaxBytes, inspect, setMaxBytes };
