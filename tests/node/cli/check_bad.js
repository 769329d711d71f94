// rondo-test: option=--check
console.log('never run';
