const { createHook, executionAsyncId, executionAsyncResource } = require('async_hooks');
const { writeSync } = require('fs');
const types = [];
const hook = createHook({
  init(id, type, trigger) { types.push(type); if (type === 'Immediate') this_id = id; },
  before(id) { if (id === this_id) types.push('before'); },
  after(id) { if (id === this_id) types.push('after'); },
  destroy(id) { if (id === this_id) types.push('destroy'); },
}).enable();
let this_id;
setImmediate(() => {
  types.push(`run ${executionAsyncId() === this_id} ${executionAsyncResource().constructor.name}`);
  setTimeout(() => { hook.disable(); writeSync(1, types.filter((t) => t !== 'TickObject').join('\n') + '\n'); }, 300);
});
Promise.resolve().then(() => {});
