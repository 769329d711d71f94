'use strict';
// The options of a session, as the numbers that C++ takes: Http2Session::make() in
// src/runtime/bindings/network/http2.cpp.

const kNumbers = [
  'maxDeflateDynamicTableSize', 'maxReservedRemoteStreams', 'maxSendHeaderBlockLength',
  'peerMaxConcurrentStreams', 'paddingStrategy', 'maxHeaderListPairs', 'maxSessionMemory', 'maxSettings',
  'streamResetRate', 'streamResetBurst',
];
const kAtLeastOne = new Set(['maxSessionMemory', 'maxSettings', 'streamResetRate', 'streamResetBurst']);
const kLeftOut = -1;

function numbersOf(options) {
  const numbers = kNumbers.map((name) => {
    const value = options[name];
    if (typeof value !== 'number') return kLeftOut;
    return kAtLeastOne.has(name) ? Math.max(1, value) : value;
  });
  numbers.push(options.strictFieldWhitespaceValidation === false ? 1 : 0);
  for (const name of ['maxSessionInvalidFrames', 'maxSessionRejectedStreams']) {
    const value = options[name];
    numbers.push(value >>> 0 === value ? value : kLeftOut);
  }
  return new Float64Array(numbers);
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
