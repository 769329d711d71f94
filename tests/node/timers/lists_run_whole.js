// Timers due at 10 and 14 that share a duration both run before a timer of another duration due at 12.
const start = Date.now();
const at = (ms) => { while (Date.now() - start < ms); };
setTimeout(() => console.log('a: duration 100, due at 100'), 100);
at(40);
setTimeout(() => console.log('b: duration 80, due at 120'), 80);
at(60);
setTimeout(() => console.log('c: duration 100, due at 160'), 100);
at(200);
