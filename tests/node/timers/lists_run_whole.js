// Timers due at 100 and 160 that share a duration both run before a timer of another duration due at 120.
setTimeout(() => console.log('a: duration 100, due at 100'), 100);
const start = Date.now();
const until = (time) => { while (Date.now() < time); };
until(start + 40);
setTimeout(() => console.log('b: duration 80, due at 120'), 80);
until(start + 60);
setTimeout(() => console.log('c: duration 100, due at 160'), 100);
until(Date.now() + 150);
// TIMERS-4
