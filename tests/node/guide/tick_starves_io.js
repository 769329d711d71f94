// Recursive ticks keep the loop from the poll phase for as long as they go on.
const fs = require('fs');
let ticks = 0;
let reads = 0;
fs.readFile(__filename, () => { reads++; console.log('read after', ticks, 'ticks'); });
setTimeout(() => console.log('timer after', ticks, 'ticks'), 0);
const start = Date.now();
(function again() {
  ticks++;
  if (ticks === 100000) {
    while (Date.now() - start < 20);
    console.log('ticks end, reads:', reads);
    return;
  }
  process.nextTick(again);
})();
// TICKS-4
