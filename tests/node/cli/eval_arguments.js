// rondo-test: no-file option=-e option="console.log(process.argv.slice(1))" option=a option=--b option=-c
