// rondo-test: option=--conditions=special
console.log(require('conditional'));
