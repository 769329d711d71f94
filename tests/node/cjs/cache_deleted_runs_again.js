const a = require('./fixtures/counter.js');
delete require.cache[require.resolve('./fixtures/counter.js')];
const b = require('./fixtures/counter.js');
a.next();
console.log(a === b, b.next());
