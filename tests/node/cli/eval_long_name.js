// rondo-test: no-file option=--eval option="console.log('long name')"
