const a = require('./fixtures/counter.js');
const b = require('./fixtures/counter');
a.next();
console.log(b.next(), a === b);
