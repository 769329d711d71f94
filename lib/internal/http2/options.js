'use strict';
// The options of a session, as the numbers that C++ takes: enum SessionNumber in
// src/runtime/bindings/network/http2.cpp.

const { SessionNumber } = require('internal/native/enums');

const kAtLeastOne = new Set(['maxSessionMemory', 'maxSettings', 'streamResetRate', 'streamResetBurst']);
const kUint32 = new Set(['maxSessionInvalidFrames', 'maxSessionRejectedStreams']);
const kLeftOut = -1;

function numberOf(name, value) {
  if (name === 'strictFieldWhitespaceValidation') return value === false ? 0 : 1;
  if (kUint32.has(name)) return value >>> 0 === value ? value : kLeftOut;
  if (typeof value !== 'number') return kLeftOut;
  return kAtLeastOne.has(name) ? Math.max(1, value) : value;
}

function numbersOf(options) {
  const names = Object.keys(SessionNumber);
  const numbers = new Float64Array(names.length);
  for (const name of names) numbers[SessionNumber[name]] = numberOf(name, options[name]);
  return numbers;
}

const kDefaultOutstanding = 10;

// How many pings, and settings, may wait for their acknowledgement.
function outstandingOf({ maxOutstandingPings, maxOutstandingSettings }) {
  return {
    pings: typeof maxOutstandingPings === 'number' ? maxOutstandingPings : kDefaultOutstanding,
    settings: typeof maxOutstandingSettings === 'number' ?
      Math.max(1, maxOutstandingSettings) : kDefaultOutstanding,
  };
}

module.exports = { numbersOf, outstandingOf };
