// rondo-test: env=TMPDIR=/some/where/
console.log(require('os').tmpdir());
