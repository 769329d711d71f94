// rondo-test: env=NODE_OPTIONS=--stack-trace-limit=1
function deep(n) { return n ? deep(n - 1) : new Error('x').stack.split('\n').length; }
console.log(deep(5), process.execArgv);
