// A timer that is overdue when the main script ends runs before the first immediates.
setImmediate(() => console.log('immediate 1'));
setTimeout(() => console.log('timer'), 1);
setImmediate(() => console.log('immediate 2'));
const start = Date.now();
while (Date.now() - start < 10);
// ITERATION-1
