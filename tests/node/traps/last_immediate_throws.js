// Those that it has queued run at once, before the ticks and before a timer that is due.
process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setImmediate(() => {
  process.nextTick(() => console.log('tick'));
  Promise.resolve().then(() => console.log('microtask'));
  setTimeout(() => console.log('timer'), 1);
  stall();
  setImmediate(() => console.log('queued'));
  throw new Error('last');
});
// THROW-7
