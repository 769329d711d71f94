'use strict';
// resourceLimits of a Worker, as lists of numbers for C++ (enum Limit in src/runtime/messaging/worker_thread.h).

const kNames = ['maxYoungGenerationSizeMb', 'maxOldGenerationSizeMb', 'codeRangeSizeMb', 'stackSizeMb'];
const kOldGeneration = 1;
const kLeastOldGenerationMb = 2;

function toList(limits) {
  const list = new Float64Array(kNames.length).fill(-1);
  if (typeof limits !== 'object' || limits === null) return list;
  kNames.forEach((name, i) => {
    if (typeof limits[name] === 'number') list[i] = limits[name];
  });
  if (typeof limits.maxOldGenerationSizeMb === 'number') {
    list[kOldGeneration] = Math.max(list[kOldGeneration], kLeastOldGenerationMb);
  }
  return list;
}

function toObject(list) {
  return Object.fromEntries(kNames.map((name, i) => [name, list[i]]));
}

module.exports = { toList, toObject };
