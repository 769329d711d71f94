// The next timer of a list is chosen before the ticks of the one before it run.
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setTimeout(() => { console.log('a'); process.nextTick(() => { console.log('refresh'); b.refresh(); }); }, 1);
const b = setTimeout(() => console.log('b'), 1);
setTimeout(() => console.log('c'), 1);
setImmediate(() => console.log('immediate'));
stall();
