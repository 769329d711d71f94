function deep(n) { if (n === 0) throw new Error('deep'); deep(n - 1); }
Error.stackTraceLimit = 3;
deep(20);
