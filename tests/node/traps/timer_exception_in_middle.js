process.on('uncaughtException', (error) => console.log('caught', error.message));
setTimeout(() => console.log('1'), 1);
setTimeout(() => { process.nextTick(() => console.log('tick of 2')); throw new Error('2'); }, 1);
setTimeout(() => console.log('3'), 1);
setTimeout(() => console.log('other list'), 2);
setImmediate(() => console.log('immediate'));
const start = Date.now();
while (Date.now() - start < 10);
// THROW-1, THROW-8
