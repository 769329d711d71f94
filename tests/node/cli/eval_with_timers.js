// rondo-test: no-file option=-e option={source}
setTimeout(() => console.log('timer'), 300);
process.nextTick(() => console.log('tick'));
setImmediate(() => console.log('immediate'));
console.log('main');
