// An immediate that throws and is followed only by cleared ones is the last of its visit.
const { setTimeout: later } = globalThis;
const log = console.log;

function busy() {
  const end = process.hrtime.bigint() + 4_000_000n;
  while (process.hrtime.bigint() < end);
}

process.on('uncaughtException', (error) => log('uncaught', error.message));

function round(clearsBefore, clearsAfter, next) {
  log('cleared before:', clearsBefore, 'after:', clearsAfter);
  const cleared = [];
  setImmediate(() => {
    log('throws');
    setImmediate(() => log('inner'));
    later(() => log('timeout'), 0);
    process.nextTick(() => log('tick'));
    busy();
    if (clearsBefore) cleared.forEach(clearImmediate);
    throw new Error('thrown');
  });
  for (let i = 0; i < 3; i++) cleared.push(setImmediate(() => log('never')));
  if (!clearsBefore) cleared.forEach(clearImmediate);
  if (clearsAfter) setImmediate(() => log('after'));
  later(next, 100);
}

round(false, false, () => round(true, false, () => round(false, true, () => round(true, true, () => {}))));
