'use strict';
// resourceLimits of a Worker, as lists of numbers for C++ (enum Limit in src/runtime/messaging/worker_thread.h).

const { Limit } = require('internal/native/enums');

const kNames = Object.keys(Limit);
const kLeastOldGenerationMb = 2;

function toList(limits) {
  const list = new Float64Array(kNames.length).fill(-1);
  if (typeof limits !== 'object' || limits === null) return list;
  for (const name of kNames) {
    if (typeof limits[name] === 'number') list[Limit[name]] = limits[name];
  }
  const old = Limit.maxOldGenerationSizeMb;
  if (typeof limits.maxOldGenerationSizeMb === 'number') list[old] = Math.max(list[old], kLeastOldGenerationMb);
  return list;
}

function toObject(list) {
  return Object.fromEntries(kNames.map((name) => [name, list[Limit[name]]]));
}

module.exports = { toList, toObject };
