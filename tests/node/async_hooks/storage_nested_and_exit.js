const { AsyncLocalStorage } = require('async_hooks');
const a = new AsyncLocalStorage();
const b = new AsyncLocalStorage();
a.run(1, () => b.run('x', () => {
  console.log(a.getStore(), b.getStore());
  a.run(2, () => setImmediate(() => console.log('inner', a.getStore(), b.getStore())));
  a.exit(() => console.log('exit', a.getStore(), b.getStore()));
  console.log(a.getStore());
  setImmediate(() => setTimeout(() => console.log('timer', a.getStore(), b.getStore()), 1));
}));
console.log(a.getStore(), b.getStore(), a.run(5, (x, y) => [a.getStore(), x, y], 'x', 'y'));
