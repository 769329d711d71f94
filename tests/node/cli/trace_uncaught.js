// rondo-test: option=--trace-uncaught
function f() { throw 'a string'; }
f();
