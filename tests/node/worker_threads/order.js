// Phases in a Worker are those of the main thread.
const { Worker } = require('node:worker_threads');
new Worker(`
  const log = [];
  setTimeout(() => { log.push('timeout'); setImmediate(() => log.push('immediate of timeout')); }, 1);
  setImmediate(() => { log.push('immediate'); process.nextTick(() => log.push('tick of immediate')); });
  process.nextTick(() => log.push('tick'));
  Promise.resolve().then(() => log.push('microtask'));
  queueMicrotask(() => log.push('queued'));
  const end = Date.now() + 5; while (Date.now() < end);
  process.on('exit', () => console.log(log));
`, { eval: true });
