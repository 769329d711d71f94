const a = setTimeout(() => console.log('a'), 20);
setTimeout(() => console.log('b'), 20);
const start = Date.now();
while (Date.now() - start < 5);
a.refresh();
// TIMERS-9
