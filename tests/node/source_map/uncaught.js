// rondo-test: option=--enable-source-maps
// The line above the stack of an uncaught error is that of the source, with its tabs.
setTimeout(() => require('./fixtures/shape.js').outer({ sides: 3 }));
