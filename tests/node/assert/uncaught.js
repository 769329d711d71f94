const assert = require('assert');
function check() { assert.strictEqual({ a: 1 }.a, 2); }
check();
