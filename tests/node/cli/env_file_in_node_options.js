// rondo-test: env=NODE_OPTIONS=--env-file=fixtures/env/first.env
console.log('never');
