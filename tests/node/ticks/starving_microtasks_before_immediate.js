setImmediate(() => console.log('immediate after', n));
let n = 0;
(function again() { if (++n < 200000) queueMicrotask(again); })();
