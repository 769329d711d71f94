const { createHistogram } = require('perf_hooks');
const h = createHistogram();
for (const n of [1, 2, 3, 100]) h.record(n);
console.log(h.min, h.max, h.mean, h.count, h.exceeds, h.percentile(50), h.percentile(100), [...h.percentiles]);
h.reset();
console.log(h.count);
for (const bad of [0, 'x', -1]) {
  try {
    h.record(bad);
  } catch (e) {
    console.log(e.name, e.code);
  }
}
