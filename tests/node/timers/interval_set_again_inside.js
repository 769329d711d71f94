let n = 0;
let timer = setInterval(function f() {
  console.log(++n);
  clearInterval(timer);
  if (n < 3) timer = setInterval(f, 1);
}, 1);
