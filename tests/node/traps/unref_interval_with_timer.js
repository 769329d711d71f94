let n = 0;
setInterval(() => n++, 1).unref();
const look = setInterval(() => {
  if (n <= 2) return;
  console.log('interval ran meanwhile:', n > 2);
  clearInterval(look);
}, 10);
process.on('exit', () => console.log('exit'));
