// rondo-test: option=-r option=./fixtures/not-there.js
console.log('never');
