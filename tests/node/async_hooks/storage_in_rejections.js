const { AsyncLocalStorage } = require('async_hooks');
const s = new AsyncLocalStorage();
process.on('uncaughtException', (e) => console.log(e.message, s.getStore()));
s.run('A', () => setImmediate(() => { throw new Error('thrown'); }));
s.run('B', () => setImmediate(() => setTimeout(() => console.log('timer', s.getStore()), 1)));
