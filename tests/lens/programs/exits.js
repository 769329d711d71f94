process.on('exit', () => console.log('exit'));
setImmediate(function leave() {
  console.log('leaving');
  process.exit(7);
});
