// rondo-test: option=--no-warnings argument=one argument="two words" argument=""
console.log(process.argv.slice(2), process.execArgv, process.argv0, process.argv[1] === __filename, process.argv[0] === process.execPath);
