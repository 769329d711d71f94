let n = 0;
const timer = setTimeout(() => {
  console.log('run', ++n);
  if (n < 3) timer.refresh();
}, 2);
// TIMERS-9
