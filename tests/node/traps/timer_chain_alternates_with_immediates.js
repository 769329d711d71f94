let n = 0;
setTimeout(function again() {
  console.log('timer', ++n);
  setImmediate(() => console.log('immediate', n));
  if (n < 4) setTimeout(again, 0);
  const start = Date.now();
  while (Date.now() - start < 5);
}, 0);
