const { executionAsyncId, triggerAsyncId } = require('async_hooks');
console.log(executionAsyncId(), triggerAsyncId());
const outer = executionAsyncId();
setTimeout(() => {
  console.log(executionAsyncId() > outer, triggerAsyncId() === outer);
  const id = executionAsyncId();
  setImmediate(() => console.log(triggerAsyncId() === id));
}, 1);
