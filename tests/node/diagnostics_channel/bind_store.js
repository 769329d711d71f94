const dc = require('diagnostics_channel');
const { AsyncLocalStorage } = require('async_hooks');
const s = new AsyncLocalStorage();
const c = dc.channel('stored');
c.bindStore(s, (data) => ({ wrapped: data }));
console.log(c.runStores(5, function(x) { return [this.t, x, s.getStore()]; }, { t: 'this' }, 'x'), s.getStore());
console.log(c.unbindStore(s), c.runStores(5, () => s.getStore()));
