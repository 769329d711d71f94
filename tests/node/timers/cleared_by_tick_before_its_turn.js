const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setTimeout(() => { console.log('a'); process.nextTick(() => clearTimeout(b)); }, 1);
const b = setTimeout(() => console.log('never'), 1);
setTimeout(() => { console.log('c'); Promise.resolve().then(() => clearTimeout(d)); }, 1);
const d = setTimeout(() => console.log('never'), 5);
setImmediate(() => console.log('immediate'));
stall();
// TIMERS-10
