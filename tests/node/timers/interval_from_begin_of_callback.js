// An interval is set again from the moment its callback began: a callback of 80 ms in an interval of 100 does not make 180.
const begins = [];
const timer = setInterval(() => {
  const now = Date.now();
  begins.push(now);
  if (begins.length === 5) {
    clearInterval(timer);
    // The least of them: a busy machine can only add to each.
    const least = Math.min(...begins.slice(1).map((begin, i) => begin - begins[i]));
    console.log(least < 150 ? 'no drift by the callback' : `drift: ${least}`);
  }
  while (Date.now() - now < 80);
}, 100);
// TIMERS-8
