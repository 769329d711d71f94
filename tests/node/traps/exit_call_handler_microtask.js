process.on('exit', () => {
  Promise.resolve().then(() => console.log('microtask, never'));
  process.nextTick(() => console.log('tick, never'));
  console.log('exit');
});
process.exit(0);
