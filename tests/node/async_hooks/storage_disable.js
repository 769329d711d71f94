const { AsyncLocalStorage } = require('async_hooks');
const s = new AsyncLocalStorage();
s.run('A', () => {
  setImmediate(() => console.log('later', s.getStore()));
  s.disable();
  console.log('disabled', s.getStore());
});
s.run('B', () => console.log('enabled again by run', s.getStore()));
