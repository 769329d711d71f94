// Only synchronous work is done after 'exit'.
process.on('exit', () => {
  setTimeout(() => console.log('timer, never'), 0);
  setImmediate(() => console.log('immediate, never'));
  process.nextTick(() => console.log('tick, never'));
  console.log('exit');
});
// LIFE-9
