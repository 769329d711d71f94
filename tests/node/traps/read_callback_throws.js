process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
require('fs').stat(__filename, () => {
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
  setImmediate(() => console.log('immediate'));
  throw new Error('read');
});
