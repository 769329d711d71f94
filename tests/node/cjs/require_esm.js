const m = require('./fixtures/simple.mjs');
console.log(m);
