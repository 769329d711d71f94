// rondo-test: no-file option=-e option={source}
function f() { throw new Error('in eval'); }
f();
