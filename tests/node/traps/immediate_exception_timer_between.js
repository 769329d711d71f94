// The rest of the queue runs before a timer that became due meanwhile.
process.on('uncaughtException', (error) => console.log('caught', error.message));
setImmediate(() => {
  setTimeout(() => console.log('timer'), 1);
  const start = Date.now();
  while (Date.now() - start < 10);
  throw new Error('1');
});
setImmediate(() => console.log('2'));
setImmediate(() => console.log('3'));
// THROW-7
