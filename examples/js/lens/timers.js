setTimeout(function work() {
  const end = Date.now() + 300;
  while (Date.now() < end);
}, 100);
setTimeout(function late() {
  console.log('200 ms have passed, and more');
}, 200);
