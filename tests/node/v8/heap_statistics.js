const v8 = require('v8');
const s = v8.getHeapStatistics();
console.log(s.total_heap_size > s.used_heap_size, s.heap_size_limit > 0, typeof s.number_of_native_contexts, Object.keys(s).length > 10);
console.log(v8.getHeapSpaceStatistics().some((x) => x.space_name === 'old_space'), typeof v8.cachedDataVersionTag(), Object.keys(v8.getHeapCodeStatistics()));
v8.setFlagsFromString('--no-opt');
