let n = 0;
process.on('beforeExit', () => {
  console.log('beforeExit', ++n);
  if (n < 3) setTimeout(() => console.log('timer', n), 1);
});
