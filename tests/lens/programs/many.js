// More callbacks than are listed.
let left = 5000;
process.nextTick(function again() {
  if (--left > 0) process.nextTick(again);
  else console.log('done');
});
