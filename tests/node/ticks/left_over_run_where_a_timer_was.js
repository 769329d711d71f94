'use strict';
// Ticks that are left after an exception have their turn where a timer was due, even if it was cleared.
process.on('uncaughtException', (error) => console.log('uncaught:', error.message));
setImmediate(() => console.log('immediate'));
clearTimeout(setTimeout(() => console.log('never'), 1));
process.nextTick(() => { throw new Error('tick 1'); });
process.nextTick(() => { throw new Error('tick 2'); });
process.nextTick(() => console.log('tick 3'));
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
// THROW-10
