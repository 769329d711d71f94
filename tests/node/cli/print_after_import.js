// rondo-test: no-file option=--import option=data:text/javascript,console.log(1) option=-p option=typeof(require)
// The value of -p is that of the script, also where modules come before it.
