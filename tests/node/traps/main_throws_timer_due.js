process.on('uncaughtException', (e) => console.log('caught', e.message));
const stall = () => { const start = Date.now(); while (Date.now() - start < 10); };
setTimeout(() => console.log('timer'), 1);
setImmediate(() => console.log('immediate'));
process.nextTick(() => console.log('tick'));
stall();
throw new Error('main');
