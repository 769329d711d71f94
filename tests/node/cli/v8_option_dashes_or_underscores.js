// rondo-test: option=--expose_gc
console.log(typeof gc);
