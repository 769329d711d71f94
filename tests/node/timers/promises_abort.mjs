import { setTimeout, setImmediate, setInterval } from 'timers/promises';
const ac = new AbortController();
const waits = [setTimeout(100000, null, { signal: ac.signal }), setImmediate(null, { signal: ac.signal })];
const beats = (async () => { for await (const _ of setInterval(100000, null, { signal: ac.signal })); })();
ac.abort();
for (const p of [...waits, beats]) await p.catch((e) => console.log(e.name, e.code, e.message, e.cause?.name));
await setTimeout(1, null, { signal: AbortSignal.abort(new Error('reason')) }).catch((e) => console.log(e.name, e.cause.message));
