console.log(Object.keys(require.extensions));
require.extensions['.txt'] = (module, file) => { module.exports = require('fs').readFileSync(file, 'utf8').trim().toUpperCase(); };
console.log(require('./fixtures/text.txt'), require('./fixtures/text'));
