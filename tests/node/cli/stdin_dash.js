// rondo-test: no-file option=- option=one option=two stdin={source}
console.log(process.argv.slice(1));
