setImmediate(() => console.log('immediate'));
setTimeout(() => console.log('timer'), 1);
const start = Date.now();
while (Date.now() - start < 10);
