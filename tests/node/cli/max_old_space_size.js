// rondo-test: option=--max-old-space-size=64
const { heap_size_limit } = require('v8').getHeapStatistics();
console.log(heap_size_limit < 250e6);
