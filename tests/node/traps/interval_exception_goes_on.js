process.on('uncaughtException', (error) => console.log('caught', error.message));
let n = 0;
const timer = setInterval(() => {
  if (++n === 3) clearInterval(timer);
  throw new Error(String(n));
}, 1);
