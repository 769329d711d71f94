Error.stackTraceLimit = Infinity;
function deep(n) { return n === 0 ? new Error('deep').stack : deep(n - 1); }
console.log(deep(30).split('\n').filter((l) => l.startsWith('    at deep ')).length);
