// What request() refuses; the classes.
const { locks } = require('node:worker_threads');
const log = console.log;
const run = () => 'ran';
const { signal } = new AbortController();
const lists = [
  [], ['a'], ['a', {}], ['a', 1], ['-a', run], ['a', { mode: 'x' }, run], ['a', { steal: true, ifAvailable: true }, run],
  ['a', { mode: 'shared', steal: true }, run], ['a', { signal: 1 }, run], ['a', { signal: null }, run], ['a', { signal: {} }, run],
  ['a', { signal: AbortSignal.abort('r') }, run], ['a', { signal, steal: true }, run], ['a', { signal, ifAvailable: 1 }, run],
  ['a', null, run], ['a', undefined, run], ['a', 5, run], [Symbol('x'), run], [undefined, run], [{ toString: () => 'text' }, run],
];
(async () => {
  for (const list of lists) {
    await locks.request(...list).then(log, (error) => log(error?.name, error?.code, error?.message));
  }
  const lock = await locks.request('a', (it) => it);
  log(lock, String(lock), Object.keys(lock), 'name' in lock, lock.name, lock.mode);
  for (const Class of [lock.constructor, locks.constructor]) {
    log(Class.name, Class.length, Reflect.ownKeys(Class.prototype));
    for (const [name, { enumerable, configurable, writable, value }] of Object.entries(Object.getOwnPropertyDescriptors(Class.prototype))) {
      log(name, enumerable, configurable, writable, value?.length);
    }
  }
  log(String(locks), navigator.locks === locks, typeof Lock, typeof LockManager);
})();
