const a = setTimeout(() => console.log('a, never'), 5);
clearTimeout(+a);
const b = setTimeout(() => console.log('b, never'), 5);
clearTimeout(String(+b));
const c = setInterval(() => console.log('c, never'), 5);
clearInterval(+c);
const d = setTimeout(() => console.log('d'), 5);
clearTimeout(+d + 1000);
// TIMERS-10
