// rondo-test: no-file stdin={source}
console.log('first');
throw new Error('from stdin');
