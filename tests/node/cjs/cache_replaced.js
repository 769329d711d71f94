const file = require.resolve('./fixtures/counter.js');
require.cache[file] = { exports: 'put there by hand', loaded: true };
console.log(require('./fixtures/counter.js'));
