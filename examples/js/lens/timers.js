setTimeout(function work() {
  const end = Date.now() + 30;
  while (Date.now() < end);
}, 20);
setTimeout(function late() {
  console.log('due at 25 ms, called at 50 ms');
}, 25);
