'use strict';
// What lib/ and C++ both read and write without a call: enum Shared in src/runtime/engine/environment.h says what each number
// is. Here it is kTicks for `ticks` there.

const { Shared } = require('internal/native/enums');

const kSmallReadBytes = binding('builtins').smallReadBytes;

for (const name of Object.keys(Shared)) exports[`k${name[0].toUpperCase()}${name.slice(1)}`] = Shared[name];
exports.kSmallReadBytes = kSmallReadBytes;
// The last is where the bytes of a small read begin.
exports.shared = new Int32Array(Shared.smallRead + kSmallReadBytes / 4);
