// rondo-test: no-file option=-e option={source}
process.nextTick(() => console.log('tick'));
setImmediate(() => {
  console.log('immediate');
  setTimeout(() => console.log('timer'), 1);
});
console.log('main');
