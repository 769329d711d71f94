Error.stackTraceLimit = 0;
console.log(new Error('no frames').stack);
throw new Error('thrown');
