// rondo-test: option=--stack-trace-limit=2
function deep(n) { return n ? deep(n - 1) : new Error('x').stack; }
console.log(deep(5));
