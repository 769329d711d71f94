// rondo-test: env=NODE_OPTIONS=--expose-internals
console.log('runs');
