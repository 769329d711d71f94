function f() { console.trace('where %d', 1); }
f();
