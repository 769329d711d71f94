const util = require('util');
const deep = { a: { b: { c: { d: { e: 1 } } } }, list: [[[[1]]]] };
console.log(deep);
console.log(util.inspect(deep, { depth: 0 }), util.inspect(deep, { depth: Infinity }), util.inspect(deep, { depth: null, compact: false }));
