// An unref'd timer does not keep the program up, not even when beforeExit has other work done.
setTimeout(() => console.log('never'), 100000).unref();
let n = 0;
process.on('beforeExit', () => {
  console.log('beforeExit', ++n);
  if (n < 3) setImmediate(() => console.log('immediate', n));
});
process.on('exit', () => console.log('exit'));
