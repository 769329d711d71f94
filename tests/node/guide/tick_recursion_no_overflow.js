let depth = 0;
(function again() {
  if (++depth < 500000) process.nextTick(again);
  else console.log('no RangeError at', depth);
})();
// TICKS-5
