let n = 0;
setImmediate(function again() {
  if (++n < 50000) setImmediate(again);
  else console.log(n);
});
