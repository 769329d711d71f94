const { deprecate } = require('util');
const f = deprecate(function old(a) { return a + 1; }, 'old() is old', 'DEP_X');
console.log(f(1), f(2), f.name);
const g = deprecate(() => {}, 'second with the same code', 'DEP_X');
g();
deprecate(() => {}, 'without a code')();
