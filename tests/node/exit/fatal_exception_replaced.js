// What process._fatalException() is replaced by decides: everything but false means that it was dealt with.
process._fatalException = (error, fromPromise) => {
  console.log(error.message, fromPromise);
  return error.message !== 'last';
};
process.on('exit', (code) => console.log('exit', code));
setImmediate(() => {
  console.log('immediate');
  setTimeout(() => { throw new Error('last'); }, 1);
});
throw new Error('first');
