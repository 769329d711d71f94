const { promisify } = require('util');
promisify(setTimeout)(1000, 'value').then(console.log);
promisify(setImmediate)('immediate').then(console.log);
console.log(promisify(setTimeout) === require('timers/promises').setTimeout);
