// A listener whose work takes iterations is not called for these: nothing continues forever.
const { subscribe } = require('rondo:lens');
const fs = require('fs/promises');

let calls = 0;
let atOnce = 0;
let most = 0;
subscribe(async () => {
  calls++;
  most = Math.max(most, ++atOnce);
  await fs.stat(__filename);
  await new Promise((resolve) => setTimeout(resolve, 1));
  atOnce--;
});
let rejected = 0;
subscribe(() => ++rejected === 1 ? Promise.reject(new Error('of a promise')) : undefined);
process.on('unhandledRejection', ({ message }) => console.log('unhandled:', message));
setImmediate(() => {});
process.on('exit', () => console.log(calls >= 1 && calls < 20, most));
