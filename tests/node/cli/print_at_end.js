// rondo-test: no-file option=-p option={source}
// The value is printed when nothing is left to do; process._eval is the text.
setTimeout(() => console.log('timeout'), 5);
process.on('beforeExit', () => console.log('beforeExit', process.listenerCount('exit')));
process.on('exit', () => console.log('exit', process._eval.length));
Promise.resolve().then(() => 42);
