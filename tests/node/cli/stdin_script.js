// rondo-test: no-file stdin={source}
console.log('from stdin', __filename, process.argv.length);
