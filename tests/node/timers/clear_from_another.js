const b = setTimeout(() => console.log('never'), 1);
setTimeout(() => console.log('c'), 1);
setImmediate(() => console.log('immediate'));
clearTimeout(b);
const e = setTimeout(() => console.log('never 2'), 2);
setTimeout(() => clearTimeout(e), 1);
const start = Date.now();
while (Date.now() - start < 10);
