// The same two, set inside an I/O callback. That runs in the poll phase, and check comes after poll: the
// immediate is first, whatever the clock says and however many timers there are.
const fs = require('node:fs');

fs.readFile(__filename, () => {
  setTimeout(() => {
    console.log('timeout');
  }, 0);
  setImmediate(() => {
    console.log('immediate');
  });
});
