// rondo-test: argument=--no-such-option argument=-e argument=x
console.log(process.argv.slice(2), process.execArgv);
