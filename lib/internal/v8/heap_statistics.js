'use strict';
// Figures of V8's heap, of this thread or of a Worker.

// In the order in which C++ gives them.
const kHeapNames = [
  'total_heap_size', 'total_heap_size_executable', 'total_physical_size', 'total_available_size',
  'used_heap_size', 'heap_size_limit', 'malloced_memory', 'peak_malloced_memory',
  'does_zap_garbage', 'number_of_native_contexts', 'number_of_detached_contexts',
  'total_global_handles_size', 'used_global_handles_size', 'external_memory',
  'total_allocated_bytes',
];
function named(names, values, start = {}) {
  for (let i = 0; i < names.length; i++) start[names[i]] = values[i];
  return start;
}

function heapStatistics(figures) {
  return named(kHeapNames, figures);
}

module.exports = { heapStatistics, kHeapNames, named };
