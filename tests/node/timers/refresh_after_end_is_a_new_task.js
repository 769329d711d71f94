const { createHook, executionAsyncId } = require('async_hooks');
const ids = new Set();
createHook({ init(id, type) { if (type === 'Timeout') ids.add(id); } }).enable();
let times = 0;
const timer = setTimeout(() => {
  console.log(++times, ids.has(executionAsyncId()), ids.size);
  if (times < 3) setImmediate(() => timer.refresh());
}, 1);
