'use strict';
// What lib/ and C++ both read and write without a call: see enum Shared in
// src/runtime/engine/environment.h, which has the same order.

module.exports = {
  kHasTick: 0,
  kHasRejection: 1,
  kTicks: 2,
  kOperations: 3,
  kPlaces: 4,
  kTicksWaiting: 5,
  kImmediatesWaiting: 6,
  kNoted: 7,
  kRunning: 8,
  kSmallRead: 9,
  kSmallReadBytes: 64,
  shared: new Int32Array(9 + 64 / 4),
};
