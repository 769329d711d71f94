// rondo-test: option=--expose-gc
console.log(typeof gc);
