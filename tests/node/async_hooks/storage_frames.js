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
setImmediate(() => { one.enterWith('immediate'); queueMicrotask(() => show('microtask of immediate')); });
setImmediate(() => show('next immediate'));
// After the immediates, also on a machine that is busy.
setImmediate(() => {
  setTimeout(() => { one.enterWith('timer'); show('timer'); process.nextTick(() => show('tick of timer')); }, 1);
  setTimeout(() => show('next timer'), 1);
});
Promise.resolve().then(() => { one.enterWith('promise'); }).then(() => show('next promise'));
one.run('snapshot', () => { globalThis.snapshot = AsyncLocalStorage.snapshot(); });
one.run('other', () => snapshot(() => show('in snapshot')));
