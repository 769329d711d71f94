const { AsyncLocalStorage } = require('async_hooks');
const plain = new AsyncLocalStorage();
console.log(JSON.stringify(plain.name), plain.getStore(), Object.keys(plain));
const storage = new AsyncLocalStorage({ defaultValue: 'default', name: 'requests' });
console.log(storage.name, storage.getStore());
storage.run(undefined, () => console.log('run undefined', storage.getStore()));
storage.run('store', () => {
  storage.exit(() => console.log('exit', storage.getStore()));
  storage.disable();
  console.log('disabled', storage.getStore());
});
console.log('outside', storage.getStore());
for (const options of [null, 1, 'x']) {
  try {
    new AsyncLocalStorage(options);
  } catch (error) {
    console.log(error.code, error.message);
  }
}
{
  const scope = storage.withScope('in scope');
  console.log(storage.getStore());
  scope[Symbol.dispose]();
  scope.dispose();
  console.log(storage.getStore());
}
