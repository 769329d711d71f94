const util = require('util');
const value = { b: 2, a: [3, 1, { z: 1, y: 'text' }], get g() { return { n: 1 }; }, [Symbol('s')]: new Map([['k', 'v']]), big: 1234567.891 };
console.log(util.inspect(value, { sorted: true }));
console.log(util.inspect(value, { compact: 1, getters: true, numericSeparator: true }));
console.log(util.inspect(value, { breakLength: 20 }));
console.log(util.inspect([1], { showHidden: true }), util.inspect(new Map([[1, 2]]), true));
