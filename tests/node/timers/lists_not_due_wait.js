// Only the timers of a list that are due run.
setTimeout(() => console.log('a'), 1000);
const start = Date.now();
const at = (ms) => { while (Date.now() - start < ms); };
at(900);
setTimeout(() => console.log('c'), 1000);
setTimeout(() => { console.log('b'); setImmediate(() => console.log('immediate')); }, 150);
at(1100);
// TIMERS-4
