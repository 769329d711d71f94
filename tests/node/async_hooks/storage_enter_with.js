const { AsyncLocalStorage } = require('async_hooks');
const s = new AsyncLocalStorage();
setImmediate(() => console.log('set before', s.getStore()));
s.enterWith('entered');
setImmediate(() => console.log('set after', s.getStore()));
Promise.resolve().then(() => console.log('promise', s.getStore()));
console.log('main', s.getStore());
