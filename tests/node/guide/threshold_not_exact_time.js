// A timer never runs before its threshold, but a busy callback holds it back.
const start = Date.now();
setTimeout(() => { while (Date.now() - start < 80); }, 1);
setTimeout(() => {
  const late = Date.now() - start;
  console.log(late >= 49 ? 'not early' : `early: ${late}`);
  console.log(late >= 80 ? 'held back' : `after ${late}`);
}, 50);
// TIMERS-1
