setTimeout(() => { console.log('1'); clearTimeout(b); }, 1);
const b = setTimeout(() => console.log('2, never'), 1);
setTimeout(() => console.log('3'), 1);
const start = Date.now();
while (Date.now() - start < 10);
// TIMERS-10
