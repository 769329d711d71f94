// rondo-test: argument=--env-file=fixtures/env/first.env
console.log(process.env.FIRST, process.argv.length);
