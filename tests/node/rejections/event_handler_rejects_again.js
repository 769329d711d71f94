let n = 0;
process.on('unhandledRejection', (reason) => {
  console.log('unhandled', reason);
  if (++n < 3) Promise.reject(reason + 1);
});
Promise.reject(1);
