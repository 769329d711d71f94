// The guide's scene: a file that takes 95 ms to read, a timer of 100 ms, and a callback that works for 10 ms. The
// callback begins at 95 ms and holds the poll phase; the timer, due at 100, has to wait until 105.
const fs = require('node:fs');

function someAsyncOperation(callback) {
  // No disk is that slow, so the reading begins late.
  setTimeout(() => fs.readFile(__filename, callback), 95);
}

const timeoutScheduled = Date.now();

setTimeout(() => {
  const delay = Date.now() - timeoutScheduled;
  console.log(`${delay}ms have passed since I was scheduled`);
}, 100);

someAsyncOperation(() => {
  const startCallback = Date.now();
  while (Date.now() - startCallback < 10) {
    // do nothing
  }
});
