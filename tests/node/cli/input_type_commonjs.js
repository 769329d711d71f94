// rondo-test: no-file option=--input-type=commonjs option=-e option="console.log(typeof require)"
