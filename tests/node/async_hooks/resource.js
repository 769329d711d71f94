const { AsyncResource, executionAsyncId, triggerAsyncId } = require('async_hooks');
class Pool extends AsyncResource { constructor() { super('Pool'); } }
const p = new Pool();
console.log(p.asyncId() > 0, p.triggerAsyncId() === executionAsyncId(), p.runInAsyncScope((a) => [executionAsyncId() === p.asyncId(), a], null, 'arg'));
const f = AsyncResource.bind(function() { return this; });
console.log(f.length, typeof f, executionAsyncId(), triggerAsyncId());
for (const bad of [() => new AsyncResource(), () => new AsyncResource('x', -5), () => AsyncResource.bind(1)]) {
  try {
    bad();
  } catch (e) {
    console.log(e.name, e.code, e.message);
  }
}
