// The postponed tick runs after the immediate: what it queues waits for the next visit.
process.on('uncaughtException', (e) => console.log('caught', e.message));
process.nextTick(() => { throw new Error('tick 1'); });
process.nextTick(() => { console.log('tick 2'); setImmediate(() => console.log('queued by tick 2')); });
setImmediate(() => {
  console.log('immediate');
  setTimeout(() => console.log('timer'), 1);
  const start = Date.now();
  while (Date.now() - start < 10);
});
// THROW-10
