// boundedChannel(), withStoreScope(), and thenables in tracePromise().
const dc = require('diagnostics_channel');
const { AsyncLocalStorage } = require('async_hooks');
const store = new AsyncLocalStorage();
const bounded = dc.boundedChannel('work');
bounded.start.bindStore(store, (data) => data.id);
bounded.subscribe({ start: ({ id }) => console.log('start', id, store.getStore()), end: ({ id }) => console.log('end', id, store.getStore()) });
console.log(bounded.run({ id: 1 }, (x) => { console.log('inside', store.getStore(), x); return 'result'; }, null, 5), store.getStore());
try { bounded.run({ id: 2 }, () => { throw new Error('thrown'); }); } catch (error) { console.log(error.message); }
{
  using scope = bounded.withScope({ id: 3 });
  console.log('scope', store.getStore(), typeof scope);
}
const channel = dc.channel('plain');
channel.bindStore(store);
{
  using _ = channel.withStoreScope('value');
  console.log(store.getStore());
}
console.log(store.getStore(), dc.channel('unused').withStoreScope() !== undefined);
const tracing = dc.tracingChannel('traced');
tracing.subscribe({ start() { console.log('t start'); }, end() { console.log('t end'); }, asyncStart({ result, error }) { console.log('t asyncStart', result, error); }, asyncEnd() { console.log('t asyncEnd'); }, error({ error }) { console.log('t error', error); } });
const thenable = { then(resolve) { resolve('late'); return this; } };
console.log(tracing.tracePromise(() => thenable, {}) === thenable);
tracing.tracePromise(async () => 'value', {}).then((value) => console.log(value));
tracing.tracePromise(() => Promise.reject('reason'), {}).catch((reason) => console.log('caught', reason));
try { dc.boundedChannel(5); } catch (error) { console.log(error.code, error.message); }
