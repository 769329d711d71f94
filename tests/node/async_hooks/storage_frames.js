// What is entered of another storage in run() stays; what a callback enters ends with the callback.
const { AsyncLocalStorage } = require('async_hooks');
const one = new AsyncLocalStorage();
const two = new AsyncLocalStorage();
const show = (name) => console.log(name, one.getStore(), two.getStore());
one.run(1, () => {
  two.enterWith(2);
  show('inside');
  setImmediate(() => show('made inside'));
});
show('after run');
process.nextTick(() => { show('tick'); one.enterWith('tick'); });
process.nextTick(() => show('next tick'));
setTimeout(() => { one.enterWith('timer'); show('timer'); process.nextTick(() => show('tick of timer')); }, 20);
setTimeout(() => show('next timer'), 20);
setImmediate(() => { one.enterWith('immediate'); queueMicrotask(() => show('microtask of immediate')); });
setImmediate(() => show('next immediate'));
Promise.resolve().then(() => { one.enterWith('promise'); }).then(() => show('next promise'));
one.run('snapshot', () => { globalThis.snapshot = AsyncLocalStorage.snapshot(); });
one.run('other', () => snapshot(() => show('in snapshot')));
