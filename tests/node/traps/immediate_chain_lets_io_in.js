// A chain of immediates does not keep poll from running.
const fs = require('fs');
let read = false;
fs.readFile(__filename, () => { read = true; });
let rounds = 0;
setImmediate(function again() {
  rounds++;
  if (!read && rounds < 1e7) setImmediate(again);
  else console.log('read came during the chain:', read, rounds > 1);
});
