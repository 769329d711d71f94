const { monitorEventLoopDelay, performance } = require('perf_hooks');
const h = monitorEventLoopDelay({ resolution: 5 });
h.enable();
const first = performance.eventLoopUtilization();
setTimeout(() => {
  const start = Date.now();
  while (Date.now() - start < 60);
  setTimeout(() => {
    h.disable();
    const u = performance.eventLoopUtilization(first);
    console.log(h.max > 30e6, h.min > 0, h.mean > 0, h.percentile(50) > 0, u.active > 50, u.idle > 0, u.utilization > 0 && u.utilization < 1, Object.keys(u));
  }, 60);
}, 20);
