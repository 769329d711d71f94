const assert = require('assert');
assert.deepStrictEqual([1, { b: 2 }], [1, { b: 3 }]);
