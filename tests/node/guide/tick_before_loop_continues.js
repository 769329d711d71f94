// In every phase: the tick queue is emptied after the current operation.
const fs = require('fs');
fs.stat(__filename, () => {
  process.nextTick(() => console.log('tick from poll'));
  console.log('poll');
  setTimeout(() => {
    process.nextTick(() => console.log('tick from timers'));
    console.log('timers');
    setImmediate(() => {
      process.nextTick(() => console.log('tick from check'));
      console.log('check');
    });
  }, 1);
});
