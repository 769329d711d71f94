setImmediate(() => {
  setImmediate(() => console.log('immediate of the next iteration'));
  process.nextTick(() => console.log('tick in the same phase'));
  console.log('check');
});
setImmediate(() => console.log('second immediate, same check'));
