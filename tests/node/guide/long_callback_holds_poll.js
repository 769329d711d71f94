// Poll events may queue up while poll events are run; a long callback holds everything.
const fs = require('fs');
const start = Date.now();
setTimeout(() => console.log('timer', Date.now() - start >= 120), 60);
fs.stat(__filename, () => {
  while (Date.now() - start < 120);
  console.log('long poll callback');
  setImmediate(() => console.log('check'));
});
