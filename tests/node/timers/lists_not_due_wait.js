// Only the timers of a list that are due run.
const start = Date.now();
const at = (ms) => { while (Date.now() - start < ms); };
setTimeout(() => console.log('a'), 250);
at(200);
setTimeout(() => console.log('c'), 250);
setTimeout(() => { console.log('b'); setImmediate(() => console.log('immediate')); }, 75);
at(300);
