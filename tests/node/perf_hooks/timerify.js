const { performance, PerformanceObserver } = require('perf_hooks');
function add(a, b) { return a + b; }
const wrapped = performance.timerify(add);
const o = new PerformanceObserver((list) => { const [e] = list.getEntries(); console.log(e.entryType, e.name, typeof e.duration, e[0], e[1]); o.disconnect(); });
o.observe({ entryTypes: ['function'] });
console.log(wrapped(1, 2), wrapped.name, wrapped.length);
setTimeout(() => {}, 50);
