'use strict';
// A tick that throws between two timers ends the visit, and it begins anew: if no timer is left then, the next tick
// follows at once.
process.on('uncaughtException', (error) => console.log('uncaught:', error.message));
setImmediate(() => console.log('immediate'));
setTimeout(() => {
  console.log('timer 1');
  process.nextTick(() => {
    clearTimeout(second);
    throw new Error('tick 1');
  });
  process.nextTick(() => { throw new Error('tick 2'); });
  process.nextTick(() => console.log('tick 3'));
}, 1);
const second = setTimeout(() => console.log('timer 2'), 2);
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
// THROW-9
