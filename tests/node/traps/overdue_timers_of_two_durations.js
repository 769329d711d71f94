setImmediate(() => console.log('immediate'));
setTimeout(() => console.log('30 ms'), 30);
setTimeout(() => console.log('1 ms'), 1);
setTimeout(() => console.log('0 ms'), 0);
const start = Date.now();
while (Date.now() - start < 50);
