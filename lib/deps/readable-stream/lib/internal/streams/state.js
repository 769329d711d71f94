'use strict';
// In place of the package's own: high water marks. Every stream that is made with options comes by
// here, and a default encoding that is none is refused, as Node 20 does.

const {
  codes: { ERR_INVALID_ARG_VALUE, ERR_UNKNOWN_ENCODING },
} = require('internal/errors');
const { validateInteger } = require('internal/validators');
const { Buffer } = require('buffer');

let defaultBytes = 16 * 1024;
let defaultObjects = 16;

function getDefaultHighWaterMark(objectMode) {
  return objectMode ? defaultObjects : defaultBytes;
}

function setDefaultHighWaterMark(objectMode, value) {
  validateInteger(value, 'value', 0);
  if (objectMode) defaultObjects = value;
  else defaultBytes = value;
}

// `duplexKey` is the name of the option for one side of a Duplex.
function getHighWaterMark(state, options, duplexKey, isDuplex) {
  const { defaultEncoding } = options;
  if (defaultEncoding !== undefined && defaultEncoding !== null && !Buffer.isEncoding(defaultEncoding)) {
    throw new ERR_UNKNOWN_ENCODING(defaultEncoding);
  }
  const value = options.highWaterMark ?? (isDuplex ? options[duplexKey] : undefined);
  if (value === undefined || value === null) return getDefaultHighWaterMark(state.objectMode);
  if (!Number.isInteger(value) || value < 0) {
    throw new ERR_INVALID_ARG_VALUE(isDuplex ? `options.${duplexKey}` : 'options.highWaterMark', value);
  }
  return value;
}

module.exports = { getDefaultHighWaterMark, getHighWaterMark, setDefaultHighWaterMark };
