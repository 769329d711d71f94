const util = require('util');
console.log(JSON.stringify(util.inspect({ n: 1, s: 'x', b: true, u: undefined, nul: null, d: new Date(0), r: /x/g, f() {}, sym: Symbol('s'), big: 1n }, { colors: true })));
