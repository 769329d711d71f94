// rondo-test: option=--trace-warnings
function f() { process.emitWarning('with a stack'); }
f();
