const dc = require('diagnostics_channel');
const t = dc.tracingChannel('work');
t.subscribe({ start: (m) => console.log('start', m.in), end: (m) => console.log('end', m.result), asyncStart: (m) => console.log('asyncStart', m.result), asyncEnd: () => console.log('asyncEnd'), error: (m) => console.log('error', m.error.message) });
t.traceSync((a) => a * 2, { in: 1 }, null, 21);
try {
  t.traceSync(() => { throw new Error('x'); }, { in: 2 });
} catch {}
t.tracePromise(async () => 'async', { in: 3 });
t.traceCallback((cb) => setImmediate(cb, null, 'called back'), 0, { in: 4 }, null, (e, v) => console.log('callback', v));
