const { performance, PerformanceEntry } = require('perf_hooks');
const a = performance.now();
console.log(typeof a, performance.now() >= a, Math.abs(performance.timeOrigin + performance.now() - Date.now()) < 1000, performance === globalThis.performance, Object.keys(performance.toJSON()).sort());
