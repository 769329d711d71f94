// rondo-test: option=--no-such-option
console.log('never');
