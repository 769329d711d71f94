// rondo-test: env=FORCE_COLOR=1
// FORCE_COLOR: the report of an uncaught error has colours also where there is no terminal.
Error.stackTraceLimit = 1;
const error = new TypeError('in colours');
error.code = 7;
error.list = ['x', null];
throw error;
