'use strict';
// Figures of V8's heap, of this thread or of a Worker. C++ has their names: src/runtime/observe/heap_figures.cpp.

const { heapNames } = binding('v8');

function named(names, values, start = {}) {
  for (let i = 0; i < names.length; i++) start[names[i]] = values[i];
  return start;
}

function heapStatistics(figures) {
  return named(heapNames, figures);
}

module.exports = { heapStatistics, named };
