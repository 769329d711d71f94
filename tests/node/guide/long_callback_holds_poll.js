// A long poll callback holds everything: check, and timers that were due long ago.
const fs = require('fs');
fs.stat(__filename, () => {
  const start = Date.now();
  setTimeout(() => console.log('timer', Date.now() - start >= 60), 1);
  setImmediate(() => console.log('check'));
  while (Date.now() - start < 60);
  console.log('long poll callback');
});
