function work(ms) {
  const end = Date.now() + ms;
  while (Date.now() < end);
}

setTimeout(function slow() {
  work(700);
}, 10);
setTimeout(function late() {}, 20);
