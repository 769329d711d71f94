// rondo-test: option=--env-file=fixtures
console.log('never');
