// rondo-test: env="NODE_OPTIONS=word --no-deprecation"
console.log(process.noDeprecation, process.execArgv);
