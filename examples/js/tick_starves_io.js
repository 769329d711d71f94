// Ticks that queue ticks hold the loop where it is: the file has long been read, and its callback has to wait.
const fs = require('node:fs');

let ticks = 0;
let isRead = false;
fs.readFile(__filename, () => {
  isRead = true;
  console.log('the file comes after all of them');
});

function again() {
  if (++ticks < 100_000) process.nextTick(again);
  else console.log(`${ticks} ticks in a row, the file read meanwhile: ${isRead}`);
}
process.nextTick(again);
