// rondo-test: option=--stack-trace-limit=20 option=--max-old-space-size=200 option=-r option=os
console.log(process.execArgv, Error.stackTraceLimit);
