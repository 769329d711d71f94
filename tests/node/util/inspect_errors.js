const util = require('util');
const e = new Error('message');
e.stack = 'Error: message\n    at somewhere:1:2';
console.log(util.inspect(e), util.inspect({ e }), [Object.assign(new RangeError('r'), { stack: 'RangeError: r\n    at x', code: 'C' })]);
e.name = 'Renamed';
console.log(e);
console.log(Object.assign(new TypeError('no stack'), { stack: '' }), Object.assign(new Error('x'), { stack: undefined }));
