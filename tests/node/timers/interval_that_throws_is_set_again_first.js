'use strict';
// An interval that throws takes its place in the list before the handler of uncaught exceptions can set a timer.
let count = 0;
process.on('uncaughtException', (error) => {
  console.log('uncaught:', error.message);
  setTimeout(() => console.log('timer of the handler'), 50);
});
const interval = setInterval(() => {
  console.log('interval', ++count);
  if (count === 2) return clearInterval(interval);
  throw new Error('from the interval');
}, 50);
// THROW-11
