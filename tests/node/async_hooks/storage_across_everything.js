const { AsyncLocalStorage } = require('async_hooks');
const fs = require('fs');
const storage = new AsyncLocalStorage();
const show = (what) => console.log(what, storage.getStore());
storage.run('store', async () => {
  show('sync');
  process.nextTick(show, 'tick');
  queueMicrotask(() => show('microtask'));
  Promise.resolve().then(() => show('then'));
  setImmediate(() => {
    show('immediate');
    setTimeout(() => {
      show('timer in immediate');
      fs.stat(__filename, () => show('io'));
    }, 1);
  });
  await null;
  show('after await');
});
show('outside');
