console.log('main starting');
const a = require('./fixtures/cycle_a.js');
const b = require('./fixtures/cycle_b.js');
console.log('in main, a.done = %j, b.done = %j', a.done, b.done);
