const { AsyncLocalStorage, AsyncResource } = require('async_hooks');
const s = new AsyncLocalStorage();
const bound = s.run('A', () => AsyncLocalStorage.bind(() => s.getStore()));
const snapshot = s.run('B', () => AsyncLocalStorage.snapshot());
const resource = s.run('C', () => new AsyncResource('R'));
s.run('Z', () => console.log(bound(), snapshot(() => s.getStore()), resource.runInAsyncScope(() => s.getStore()), s.getStore()));
