// The immediate set in an I/O callback runs before the callback of a read that is started there.
const fs = require('fs');
fs.readFile(__filename, () => {
  fs.readFile(__filename, () => console.log('second read'));
  setImmediate(() => console.log('immediate'));
});
