// rondo-test: env=NODE_OPTIONS=--no-such-option-there
console.log('not reached');
