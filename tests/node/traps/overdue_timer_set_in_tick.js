// ... also when it was set, and became overdue, in a tick or a microtask after the main script.
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setImmediate(() => console.log('immediate'));
process.nextTick(() => { setTimeout(() => console.log('timer of tick'), 1); stall(); });
Promise.resolve().then(() => { setTimeout(() => console.log('timer of microtask'), 3); stall(); });
