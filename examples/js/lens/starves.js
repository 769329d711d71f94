const end = Date.now() + 700;

process.nextTick(function again() {
  if (Date.now() < end) process.nextTick(again);
});
setTimeout(function late() {}, 10);
