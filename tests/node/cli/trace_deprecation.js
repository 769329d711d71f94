// rondo-test: option=--trace-deprecation
function f() { process.emitWarning('old', 'DeprecationWarning', 'DEP9999'); }
f();
