setImmediate(() => console.log('immediate'));
setTimeout(() => console.log('300 ms'), 300);
setTimeout(() => console.log('1 ms'), 1);
setTimeout(() => console.log('0 ms'), 0);
const start = Date.now();
while (Date.now() - start < 350);
