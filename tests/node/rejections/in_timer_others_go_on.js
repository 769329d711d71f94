process.on('unhandledRejection', (r) => console.log('unhandled', r));
setTimeout(() => { Promise.reject(1); process.nextTick(() => console.log('tick')); }, 1);
setTimeout(() => console.log('second timer'), 1);
const start = Date.now();
while (Date.now() - start < 10);
