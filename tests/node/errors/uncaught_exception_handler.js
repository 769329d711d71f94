process.on('uncaughtException', (error, origin) => {
  console.log('handler', error.message, origin);
});
setTimeout(() => console.log('still running'), 5);
throw new Error('x');
