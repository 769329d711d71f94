undeclared = 1;
console.log(undeclared, (function() { return this === globalThis; })());
