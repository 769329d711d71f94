let n = 0;
process.on('beforeExit', () => {
  console.log('beforeExit', ++n);
  setTimeout(() => console.log('never'), 5).unref();
});
// LIFE-8
