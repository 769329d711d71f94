let n = 0;
const timer = setInterval(() => {
  console.log(++n);
  if (n === 3) clearInterval(timer);
}, 1);
