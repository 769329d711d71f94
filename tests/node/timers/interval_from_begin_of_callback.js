// An interval is set again from the moment its callback began: a callback of 30 ms in an interval of 50 does not make 80.
const begins = [];
const timer = setInterval(() => {
  const now = Date.now();
  begins.push(now);
  if (begins.length === 5) {
    clearInterval(timer);
    const mean = (begins[4] - begins[0]) / 4;
    console.log(mean < 120 ? 'no drift by the callback' : `drift: ${mean}`);
  }
  while (Date.now() - now < 80);
}, 100);
