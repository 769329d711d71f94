const { PerformanceObserver, performance } = require('perf_hooks');
const o = new PerformanceObserver((list, observer) => {
  console.log(list.getEntries().map((e) => [e.entryType, e.name]), observer === o);
  o.disconnect();
});
o.observe({ entryTypes: ['mark', 'measure'] });
performance.mark('one');
performance.measure('two');
console.log('observers are told later', PerformanceObserver.supportedEntryTypes.includes('mark'));
setTimeout(() => {}, 50);
