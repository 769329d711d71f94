'use strict';
// The percentiles are ordinary maps.
const { createHistogram } = require('node:perf_hooks');

const histogram = createHistogram();
for (const value of [1, 5, 5, 900]) histogram.record(value);
for (const map of [histogram.percentiles, histogram.percentilesBigInt]) {
  console.log(map, map instanceof Map, Object.getPrototypeOf(map) === Map.prototype, [...map.keys()].length);
}
for (const size of [1n, Symbol('size'), '3', {}, -1]) {
  try {
    console.log(performance.setResourceTimingBufferSize(size));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
